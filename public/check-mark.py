"""Checks a Bitcoin transaction that carries the hash of a day, and hashes that you kept. Needs Python 3 and nothing else.

    python3 check-mark.py TRANSACTION [DAY:HASH...] MONTH...

TRANSACTION is a file with the raw transaction in hexadecimal, from any explorer or node. DAY:HASH are days with the hashes
that you kept, 2026-11-28:5f2c... MONTH... are the files (/proof/2026-11.json) of the months from there to the transaction."""
import hashlib, json, sys

def sha256(data):
    return hashlib.sha256(data).digest()

def field(value):
    data = str(value).encode()
    return b"," if value is None else b"%d:%s," % (len(data), data)

def digest(day):
    names = ["day", "previousDigest", "sealNumber", "sealHash", "auditLink", "auditHash"]
    return sha256(b"".join(map(field, ["assay day 1"] + [day[name] for name in names]))).hex()

def read_transaction(raw):
    """Its id, and the digests in its outputs."""
    at = 4
    def take(length):
        nonlocal at
        at += length
        return raw[at - length:at]
    def size():
        first = take(1)[0]
        return first if first < 253 else int.from_bytes(take(2 ** (first - 252)), "little")
    if raw[4] == 0:  # Witnesses follow the outputs; the id is made without them.
        take(2)
    start = at
    for _ in range(size()):
        take(36), take(size()), take(4)
    scripts = [(take(8), take(size()))[1] for _ in range(size())]
    txid = sha256(sha256(raw[:4] + raw[start:at] + raw[-4:]))[::-1].hex()
    return txid, [script[6:].hex() for script in scripts if script[:6] == b"\x6a\x24ASAY" and len(script) == 38]

def check(transaction, *given):
    kept = dict(each.split(":") for each in given if not each.endswith(".json"))
    days = [day for month in given if month.endswith(".json") for day in json.load(open(month))]
    days.sort(key=lambda day: day["day"])
    for before, day in zip(days, days[1:]):
        if day["previousDigest"] != digest(before):
            return f"WRONG: in the files {day['day']} does not follow {before['day']}."
    hashes = {day["day"]: digest(day) for day in days}
    for day in kept:
        if hashes.get(day) != kept[day]:
            return f"WRONG: in the files {day} does not have the hash that you kept."
    txid, marks = read_transaction(bytes.fromhex(open(transaction).read()))
    carried = [day for day in hashes if hashes[day] in marks]
    if not carried:
        return f"WRONG: {txid} carries the hash of no day in the files."
    return f"ok: {txid} carries the hash of {carried[0]}, and with it those of all days before."

if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    print(said := check(*sys.argv[1:]))
    sys.exit(0 if said.startswith("ok") else 1)
