"""Checks a Bitcoin transaction that carries the hash of a day, and hashes that you kept. Needs Python 3.7 and nothing else.

    python3 check-mark.py TRANSACTION [DAY:HASH...] MONTH...

TRANSACTION is a file with the raw transaction in hexadecimal, from any explorer or node. DAY:HASH are days with the hashes
that you kept, 2026-11-28:5f2c... MONTH... are the files (/proof/2026-11.json) of the months from there to the transaction."""
import hashlib, json, sys
from datetime import date
def demand(holds, words):
    if not holds: raise AssertionError(words)

def sha256(data): return hashlib.sha256(data).digest()

def field(value):
    return b"," if value is None else b"%d:%s," % (len(str(value).encode()), str(value).encode())

def digest(day):
    names = "day previousDigest sealNumber sealHash auditLink auditHash root leaves owedBtc owedEth owedUsdt blockHeight blockHash".split()
    return sha256(b"".join(map(field, ["assay day 1"] + [day[name] for name in names]))).hex()

def read_transaction(raw):
    """Its id, and the digests in its outputs."""
    at = start = 6 if raw[4] == 0 else 4  # Witnesses are announced there, and follow the outputs; the id is made without them.
    def take(length):
        nonlocal at
        at += length
        demand(at <= len(raw), "the transaction is cut off")
        return raw[at - length:at]
    def size():
        first = take(1)[0]
        return first if first < 253 else int.from_bytes(take(2 ** (first - 252)), "little")
    inputs = [(take(36), take(size()), take(4)) for _ in range(size())]
    scripts = [(take(8), take(size()))[1] for _ in range(size())]
    end = at
    if start == 6: [[take(size()) for _ in range(size())] for _ in inputs]
    txid = sha256(sha256(raw[:4] + raw[start:end] + take(4)))[::-1].hex()
    demand(at == len(raw), "there is more than the transaction in its file")
    return txid, [script[6:].hex() for script in scripts if script[:6] == b"\x6a\x24ASAY" and len(script) == 38]

def check(transaction, *given):
    rows = [row for name in given if name.endswith(".json") for row in json.load(open(name))]
    days = {row["day"]: row for row in sorted(rows, key=lambda row: row["day"])}
    demand(all(digest(row) == digest(days[row["day"]]) for row in rows), "the files contradict each other")
    for before, day in zip(days, list(days)[1:]):
        gap = date.fromisoformat(day) - date.fromisoformat(before)
        demand(gap.days == 1, f"the files have no day between {before} and {day}")
        demand(days[day]["previousDigest"] == digest(days[before]), f"in the files {day} does not follow {before}")
    txid, marks = read_transaction(bytes.fromhex(open(transaction).read()))
    carried = [day for day in days if digest(days[day]) in marks]
    demand(len(marks) == 1 and carried, f"{txid} carries {len(marks)} hashes, {len(carried)} of a day from {min(days)} to {max(days)}")
    for day, kept in (name.split(":") for name in given if not name.endswith(".json")):
        demand(day in days, f"the files do not have {day}")
        demand(digest(days[day]) == kept.lower(), f"in the files {day} does not have the hash that you kept")
        demand(day <= carried[0], f"{txid} carries the hash of {carried[0]}, which is before {day}")
    return f"{txid} carries the hash of {carried[0]}, and with it those of all days before."

try:
    print("ok:", check(*sys.argv[1:]))
except (AssertionError, KeyError, IndexError, OSError, TypeError, ValueError) as error:
    sys.exit(f"WRONG: {error}" if isinstance(error, AssertionError) else f"{__doc__}\n\nCannot be read: {error!r}")
