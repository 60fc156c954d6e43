"""The rows of the review sheet as values: what was found, what the person makes of it, and what that is called to the engine."""

from dataclasses import dataclass, field

from desktop_app.chat.stored import Decision, Found


@dataclass(slots=True, eq=False)
class Row:
    """One value that was found; kind, stand-in and whether it is replaced are the person's to change."""

    found: Found
    kind: str
    stand_in: str
    replaced: bool

    @classmethod
    def of(cls, found: Found) -> "Row":
        """A row as the engine proposes it."""
        return cls(found, found.kind, found.stand_in, found.replaced)

    @property
    def is_renamed(self) -> bool:
        """Whether the person has written a stand-in."""
        return self.stand_in not in ("", self.found.stand_in)

    @property
    def is_changed(self) -> bool:
        """Whether it leaves as something else than the engine proposed."""
        return self.is_renamed or self.kind != self.found.kind

    def turn(self, kind: str) -> None:
        """Make it another kind: its stand-in is of the old one, so the engine chooses anew unless the person wrote one."""
        if not self.is_renamed:
            self.stand_in = self.found.stand_in if kind == self.found.kind else ""
        self.kind = kind

    @property
    def decision(self) -> Decision | None:
        """What the person decided; None where nothing was changed."""
        if (self.kind, self.replaced) == (self.found.kind, self.found.replaced) and not self.is_renamed:
            return None
        return Decision(
            value=self.found.value,
            kind=self.kind,
            replaced=self.replaced,
            stand_in=self.stand_in if self.replaced and self.is_renamed else "",
        )

    def contains(self, needle: str) -> bool:
        """Whether the value, its stand-in or a place holds these casefolded letters."""
        return any(needle in text.casefold() for text in (self.found.value, self.stand_in, *self.found.places))


@dataclass(slots=True, eq=False)
class Group:
    """The rows of one kind that are shown."""

    kind: str
    rows: list[Row] = field(default_factory=list)

    @property
    def replaced(self) -> int:
        """How many of them are replaced."""
        return sum(row.replaced for row in self.rows)
