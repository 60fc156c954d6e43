"""The kinds of protected spans in words."""

from PySide6.QtCore import QCoreApplication

translate = QCoreApplication.translate


def kind_names() -> dict[str, str]:
    """Every kind with its name, in the order in which they are listed: people first."""
    return {
        "person": translate("Kinds", "Person"),
        "organisation": translate("Kinds", "Organisation"),
        "address": translate("Kinds", "Address"),
        "place": translate("Kinds", "Place"),
        "date": translate("Kinds", "Date"),
        "phone": translate("Kinds", "Phone number"),
        "email": translate("Kinds", "E-mail address"),
        "national_id": translate("Kinds", "National or tax number"),
        "passport": translate("Kinds", "Passport or licence"),
        "card": translate("Kinds", "Card number"),
        "iban": translate("Kinds", "Bank account"),
        "record": translate("Kinds", "Record or invoice number"),
        "plate": translate("Kinds", "Number plate"),
        "site": translate("Kinds", "Web address or user name"),
        "host": translate("Kinds", "Computer address"),
        "secret": translate("Kinds", "Key or password"),
        "other": translate("Kinds", "Other"),
    }


def kind_name(kind: str) -> str:
    """The name of a kind; an unknown one is called by its own word."""
    return kind_names().get(kind, kind)


def kind_rank(kind: str) -> int:
    """Where a kind stands in lists; unknown ones come last."""
    order = list(kind_names())
    return order.index(kind) if kind in order else len(order)
