"""Numbers of records: of patients, cases, invoices, orders, customers; told by the word before them, or by their own form."""

import re
from collections.abc import Iterator

from desktop_app.privacy.language.word_sets import alternatives
from desktop_app.privacy.recognition.digit_runs import DIGIT, bounded, is_amount, runs
from desktop_app.privacy.recognition.names import Found
from desktop_app.privacy.spans import Kind

LONG = 7  # digits: a number written without grouping is somebody's from here on

THINGS = alternatives("""
    patient, medical record, health record, hospital, mrn, chart, case, file, docket, cause, claim, policy, invoice, inv, bill
    billing, order, po, p.o., purchase order, customer, client, account, acct, a/c, bank account, sort code, routing, member
    membership, reference, ref, our ref, your ref, ticket, tracking, shipment, parcel, waybill, booking, reservation, confirmation
    contract, agreement, license, licence, driver's license, driver's licence, driver license, driving licence, dl, permit
    registration, reg, vehicle, plate, number plate, license plate, licence plate, serial, s/n, sn, imei, vin, employee, staff
    personnel, badge, student, matriculation, pupil, passport, identity card, id card, national id, national insurance, nino, ni
    ssn, social security, insurance, nhs, medicare, medicaid, beneficiary, subscriber, tax, tin, vat, npi, dea, itin, ein, loan
    mortgage, card, debit card, credit card, transaction, payment, receipt, cheque, check, sample, specimen, accession, lab
    prescription, rx, referral, admission, encounter, visit, study, subject, participant, application, petition, complaint
    incident, report, police report, crime, warrant, inmate, prisoner, unit, lot, batch, device, meter, locker, flight, seat, pnr
    record locator, frequent flyer, loyalty, voucher, coupon, kunden, kundennummer, rechnung, rechnungsnummer, vertrag
    vertragsnummer, aktenzeichen, dossier, facture, factura, pedido, commande
""")
NUMBER_WORDS = alternatives("no, nos, nr, num, number, numbers, nummer, numéro, número, id, ids, code, ref, reference")
CODE_WORDS = alternatives("no, nr, num, number, id, identifier, code, pin, zip, zip code, post code, postal code, plz, cap")
KOREAN_THINGS = alternatives("""
    환자, 차트, 진료, 병록, 등록, 의무기록, 사건, 접수, 주문, 고객, 회원, 송장, 운송장, 계약, 증권, 보험, 청구, 청구서, 인보이스
    예약, 관리, 허가, 사업자, 사업자등록, 법인, 법인등록, 학번, 사번, 군번, 계좌, 통장, 면허, 운전면허, 여권, 주민, 주민등록
    외국인, 외국인등록, 카드, 거래, 승인, 문서, 일련, 제품, 시리얼, 차량, 검체, 처방, 우편, 신고, 민원, 수험, 직원, 사원, 출입증
    영수증, 견적, 대출
""")
_LATIN_VALUE = r"(?=[A-Za-z/-]{0,10}\d)[A-Za-z0-9]+(?:[-/._][A-Za-z0-9]+){0,6}(?: \d{2,}){0,5}"
# "Invoice no. 2024-17", "MRN: 48213", "case #A-12", "account number is 12 345 678", and in the cells of a table.
BY_THING = re.compile(
    rf"\b{THINGS}(?:'s)?[ \n]?(?:{NUMBER_WORDS}\b\.?|#|№)?[ ]?(?:[:=#№(]|is|was|are|nr\.?|no\.?)?[ \n\t|]{{0,3}}[\"'“#]?"
    rf"(?P<value>{_LATIN_VALUE})",
    re.IGNORECASE,
)
BY_NUMBER_WORD = re.compile(
    rf"(?:\b{CODE_WORDS}\b\.?|#|№)[ ]?(?:[:=#]|is|was)?[ ]?[\"'“]?(?P<value>{_LATIN_VALUE}(?:(?-i: [A-Z]{{2}})\b)?)",
    re.IGNORECASE,
)
KOREAN = re.compile(
    rf"{KOREAN_THINGS}\s?(?:번호|코드|아이디|ID|No\.?|넘버|#)?\s?(?:[:=#(]|은|는|이|가)?[ \n\t|]{{0,3}}(?P<value>{_LATIN_VALUE})",
    re.IGNORECASE,
)
# Korean courts and prosecutors: 2023가합12345, 2024고단678, 2023형제12345; not "2023년 12345명".
KOREAN_CASE = re.compile(
    r"(?<!\d)(?:19|20)\d{2}\s?(?!년|월|일)[가-힣]{1,3}\s?\d{2,8}(?:호)?(?!\d|\s?(?:년|월|일|명|원|개|시|분|차|회|건|위|점|층))"
)
# A code of letters and digits: INV-2024-0042, KX48213-B.
CODE = re.compile(
    r"(?<![\w./@#-])(?=(?:[A-Za-z0-9/-]*\d){3})(?=[0-9/-]*[A-Za-z])[A-Za-z0-9]+(?:[-/][A-Za-z0-9]+)*(?![A-Za-z0-9_@])"
)
_MEASURE = re.compile(r"\d+(?:[a-z]{1,4}|[KMGT]i?B|[KMG]?Hz|[kMG]?W)$")
# Kinds of things that are named by letters and digits: norms, models, vitamins.
_FORMS = re.compile(
    r"(?:ISO|IEC|RFC|DIN|EN|CVE|IEEE|PEP|USB|SHA|UTF|MP|COVID|GPT|HTTP|TLS|WIN|CP|KS|ASTM|ICD|TCP|[A-Z])[-/]?\d{1,5}(?:[-/]\d+)*$",
    re.I,
)


def find_told(text: str) -> Iterator[Found]:
    """Find what a word like "invoice" says is a number of something, in a `Reading`'s text; what is found may overlap."""
    if DIGIT.search(text) is None:
        return
    for pattern in (BY_THING, KOREAN):
        for match in pattern.finditer(text):
            if is_number(match["value"]):
                yield Found(match.start("value"), match.end("value"), Kind.RECORD)


def find_formed(text: str) -> Iterator[Found]:
    """Find what nothing but its form, or a mere "no.", tells to be such a number: codes, cases, long numbers."""
    if DIGIT.search(text) is None:
        return
    for match in BY_NUMBER_WORD.finditer(text):
        if is_number(match["value"]):
            yield Found(match.start("value"), match.end("value"), Kind.RECORD)
    for match in CODE.finditer(text):
        if is_code(match[0]):
            yield Found(match.start(), match.end(), Kind.RECORD)
    for match in KOREAN_CASE.finditer(text):
        yield Found(match.start(), match.end(), Kind.RECORD)
    for run in runs(text):
        for part in run.single():
            digits = part.digits
            if (
                (len(digits) >= LONG or (len(digits) >= 5 and digits[0] == "0"))
                and bounded(text, part)
                and not is_amount(text, part)
            ):
                yield Found(part.start, part.end, Kind.RECORD)


def is_number(value: str) -> bool:
    """Whether this, after a word like "invoice", is its number and not a count, a year or a measure."""
    digits = sum(map(str.isdigit, value))
    if digits < 3:
        return digits >= 1 and re.search(r"[A-Z]-?\d|\d-?[A-Z]", value) is not None and len(value) >= 4
    return not (_MEASURE.match(value) or re.fullmatch(r"(?:19|20)\d{2}", value))


def is_code(token: str) -> bool:
    """Whether a token of letters and digits names one thing and not a kind of things."""
    digits = sum(map(str.isdigit, token))
    if _MEASURE.match(token) or _FORMS.match(token):
        return False
    return digits >= 5 or (digits >= 4 and any(map(str.isupper, token)) and len(token) >= 6)
