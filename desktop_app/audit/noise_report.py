"""What an audit of noise has found: results of attacks, what answers are worth beside each, the curve, and who is ahead on it.

recovered.ATTACK.dp_muX.OF, prior_only.…    as for all attacks; of another system than ours dp_muX.WHO
agreement.dp_muX, gain.…, continuation.…, exact_match.…, perplexity.…, mrpc.…, sst2.…    what answers are worth there
….without_prompt                            the same where the prompt is left out altogether; perplexity.clean: without noise
gain.WAY.dp_muX                              of ours with answers that go back exact, as codes, or denoised (`reply_ways`)
MEASURE.WHO.at_prior_plus_X, difference…    at equal recovery (`recovery_curves`)
bytes_per_token.codes, .rows                of a row of codes, and of one of 16-bit numbers
"""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from desktop_app.audit.intervals import Share, majority, share
from desktop_app.audit.noise_experiments import Back, Entry, Evidence
from desktop_app.audit.noise_systems import LINEAR, OURS
from desktop_app.audit.noise_texts import PER_CHAT
from desktop_app.audit.prompts import documents
from desktop_app.audit.recovery_curves import ABOVE_PRIOR, PAIRS, Curve, compared, gain_share
from desktop_app.audit.report import Result, figures, noise_setting

NOTHING = Share(0.0, 0.0, 0.0, 0)


class Findings(Struct):
    """Results of attacks, what answers are worth (the same shape; `prior` is that without the prompt), and all figures."""

    attacks: list[Result]
    uses: list[Result]
    figures: dict[str, float]


BELOW = {
    "untrained": "codes that nothing was trained for and the model itself decodes, at a guess + {places}: its decoder is linear.",
    "untrained_linear": "its own way with nothing trained, at a guess + {places}: what was rebuilt is less than DEL's.",
}
"""What it means where DEL's recipe is worth less than another system."""


def findings(seen: Evidence) -> Findings:
    """Everything that can be said of what was seen."""
    attacks = [result for entry in seen.entries if entry.system != LINEAR for result in _attacks(seen, entry)]
    uses = [result for entry in seen.entries for result in _uses(seen, entry)]
    found = figures(attacks)
    for use in uses:
        name = f"{use.attack}.{use.setting}"
        found |= {name: use.share.value, f"{name}.low": use.share.low, f"{name}.high": use.share.high}
        found[f"{use.attack}.without_prompt"] = use.prior.value
    for entry in seen.entries:
        if entry.measured.perplexity is not None:
            found[f"perplexity.{_setting(entry)}"] = entry.measured.perplexity
    found |= {f"perplexity.{name}": value for name, value in seen.clean.perplexity.items()}
    found |= {"prior_only.prompt": share(seen.ground.prior, seen.ground.tokens).value, "noisy_documents": len(seen.prompts)}
    found |= {"bytes_per_token.codes": seen.code_bytes, "bytes_per_token.rows": seen.row_bytes}
    found |= {f"gain.{way}.{noise_setting(it.mu)}": value.value for it in seen.back for way, value in _back(seen, it).items()}
    return Findings(attacks, uses, found | compared(seen.ground, curves(seen)))


def curves(seen: Evidence) -> dict[str, Curve]:
    """The curve of each system: what the best attack, the search with the model, recovers; and what answers are worth."""
    found: dict[str, Curve] = {}
    for entry in sorted(seen.entries, key=lambda it: it.mu):
        curve = found.setdefault(entry.system, Curve([], [], [], []))
        curve.mus.append(entry.mu)
        curve.recovered.append(entry.measured.recovered["map_with_model"])
        curve.agreed.append(entry.measured.agreed)
        curve.alike.append(entry.measured.alike)
    return found


def table(seen: Evidence, found: Mapping[str, float]) -> list[str]:
    """For people: every system's curve, then all of them at equal recovery, then what must be said of it."""
    prior = found["prior_only.prompt"]
    lines = [
        f"recovered of the prompt against what the answer is worth; a guess gets {prior:.1%}, and without the prompt the answer "
        f"agrees at {found.get('agreement.without_prompt', 0):.1%}",
        f"{'system':<17}{'mu':>5}{'nearest':>9}{'map':>8}{'map+model':>11}{'agreement':>11}{'gain':>8}{'alike':>8}{'same':>7}{'ppl':>9}",
    ]
    for entry in sorted(seen.entries, key=lambda it: (it.system, it.mu)):
        recovered = {attack: sum(hits) / sum(seen.ground.tokens) for attack, hits in entry.measured.recovered.items()}
        uses = {use.attack: use.share.value for use in _uses(seen, entry, intervals=False)}
        perplexity = entry.measured.perplexity
        lines.append(
            f"{entry.system:<17}{entry.mu:>5g}{recovered['nearest_neighbour']:>9.1%}{recovered['map']:>8.1%}"
            f"{recovered['map_with_model']:>11.1%}{uses['agreement']:>11.1%}{uses['gain']:>8.2f}{uses['continuation']:>8.3f}"
            f"{uses['exact_match']:>7.0%}{f'{perplexity:,.1f}' if perplexity is not None else '-':>9}"
        )
    for it in seen.back:
        ways = ", ".join(f"{way} {told.value:.2f} ({told.low:.2f} to {told.high:.2f})" for way, told in _back(seen, it).items())
        lines.append(f"gain at mu {it.mu:g} by the way in which answers go back: {ways}")
    for name, lengths in seen.soft_prompts.items():
        lines.append(f"{name}: a soft prompt of {' or '.join(map(str, lengths))} rows before all others")
    lines += ["", f"{'at equal recovery (map+model)':<52}" + "".join(f"{f'a guess + {above:g}':>27}" for above in ABOVE_PRIOR)]
    for name in dict.fromkeys(name.partition(".at_prior_plus_")[0] for name in found if ".at_prior_plus_" in name):
        if name.endswith(("_low", "_high")):
            continue
        cells = [_cell(found, name, f"at_prior_plus_{above:g}") for above in ABOVE_PRIOR]
        lines.append(f"{name:<52}" + "".join(f"{cell:>27}" for cell in cells))
    return [*lines, *sentences(seen, found)]


def sentences(seen: Evidence, found: Mapping[str, float]) -> list[str]:
    """What somebody who reads only the figures could overlook."""
    said = list(seen.missing)
    for who in curves(seen):
        unread = [f"{above:g}" for above in ABOVE_PRIOR if f"agreement.{who}.at_prior_plus_{above:g}" not in found]
        if unread:
            said.append(f"{who}: no figure at a guess + {' and + '.join(unread)}: its levels end before. Add levels with --mu.")
    for name in (name for name in PAIRS if name.startswith("del_minus_")):
        below = [f"{above:g}" for above in ABOVE_PRIOR if found.get(f"{name}.at_prior_plus_{above:g}", 0) < 0]
        if below:
            said.append(f"DEL's recipe is below {BELOW[PAIRS[name][1]].format(places=' and + '.join(below))}")
    return said


def _back(seen: Evidence, back: Back) -> dict[str, Share]:
    return {way: gain_share(agreed, seen.ground) for way, agreed in back.agreed.items()}


def _cell(found: Mapping[str, float], name: str, place: str) -> str:
    value = found.get(f"{name}.{place}")
    if value is None:
        return "-"
    ends = [
        found.get(it) for it in (f"{name}.{place}.low", f"{name}.{place}.high", f"{name}_low.{place}", f"{name}_high.{place}")
    ]
    low, high = next((pair for pair in (ends[:2], ends[2:]) if pair[0] is not None), (None, None))
    return f"{value:.3f}" + (f" ({low:.3f} to {high:.3f})" if low is not None else "")


def _setting(entry: Entry) -> str:
    return noise_setting(entry.mu, "" if entry.system == OURS else entry.system)


def _attacks(seen: Evidence, entry: Entry) -> list[Result]:
    setting, measured = _setting(entry), entry.measured
    prior = share(seen.ground.prior, seen.ground.tokens)
    results = [
        Result(attack=attack, setting=setting, of="prompt", share=share(hits, seen.ground.tokens), prior=prior)
        for attack, hits in measured.recovered.items()
    ]
    for kind, told in measured.attributes.items():
        labels = [str(getattr(document, kind.partition(".")[0])) for document in documents()][: told.count]
        results.append(Result(attack="attributes", setting=setting, of=f"prompt.{kind}", share=told, prior=majority(labels)))
    planted = [float(PER_CHAT)] * len(measured.canaries)
    own, strangers = share(measured.canaries, planted), share(measured.strangers, planted)
    results.append(Result(attack="canary", setting=setting, of="prompt", share=own, prior=strangers))
    return results


def _uses(seen: Evidence, entry: Entry, *, intervals: bool = True) -> list[Result]:
    setting, measured, clean, ground = _setting(entry), entry.measured, seen.clean, seen.ground

    def result(attack: str, value: Share, without: Share) -> Result:
        return Result(attack=attack, setting=setting, of="reply", share=value, prior=without)

    def of_texts(values: Sequence[float]) -> Share:
        return share(values, [1.0] * len(values))

    agreement, without = share(measured.agreed, ground.replied), share(ground.without, ground.replied)
    gain = gain_share(measured.agreed, ground) if intervals else _plain_gain(agreement.value, without.value)
    results = [
        result("agreement", agreement, without),
        result("gain", gain, NOTHING),
        result("continuation", of_texts(measured.alike), of_texts(clean.alike)),
        result("exact_match", of_texts(measured.exact), of_texts(clean.exact)),
    ]
    # Beside a task stands what the clean model gets: more is not to be had.
    return results + [result(task, of_texts(right), of_texts(clean.tasks[task])) for task, right in measured.tasks.items()]


def _plain_gain(agreement: float, without: float) -> Share:
    value = (agreement - without) / (1 - without) if without < 1 else float("nan")
    return Share(value, value, value, 0)
