"""Checks that what a company says it owes to all its customers on a day includes what it owes to you.

    python3 check-owed.py PROOF.json [DAY:HASH ...] [MONTH.json ...]

PROOF.json   the file that you saved from /account/proof.json
DAY:HASH     a digest of the proof's day that you kept or saw elsewhere, in full: 2026-11-29:5f2c...
MONTH.json   a file of a month from /proof: the proof's day has to be in one of them, with the same digest

Your balances make the hash of your leaf. With each hash and each sum of the path this makes the next hash and the next sum,
up to the root, which has to be the day's, with the day's totals; and the day's fields have to make its digest. It is for you
to see whether the balances are yours, and whether others were shown the same digest. It says nothing of what the company has.
"""
import hashlib, json, re, sys
COINS = {"BTC": 8, "ETH": 18, "USDT": 6}  # with their decimal places, in the order in which they are hashed
AMOUNT, HASH, DATE = "0|[1-9][0-9]*", "[0-9a-f]{64}", "[0-9]{4}-[0-9]{2}-[0-9]{2}"
DAY_FIELDS = (("day", DATE), ("previousDigest", HASH), ("sealNumber", AMOUNT), ("sealHash", HASH), ("auditLink", AMOUNT),
    ("auditHash", HASH), ("root", HASH), ("leaves", AMOUNT), ("owedBtc", AMOUNT), ("owedEth", AMOUNT), ("owedUsdt", AMOUNT),
    ("blockHeight", AMOUNT), ("blockHash", HASH))
def wrong(reason):
    sys.exit("WRONG: " + reason)
def unreadable(reason):
    sys.exit((__doc__ or "") + "\nCannot be read: " + reason)
def read(path):
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except (OSError, ValueError, RecursionError) as error:
        unreadable("%s (%s)." % (ascii(path), error))
def take(thing, name, kind):
    if type(thing) is not dict or type(thing.get(name)) is not kind:
        unreadable("the field `%s` is not there, or is of another kind than it should be." % name)
    return thing[name]
def text(thing, name, pattern):
    if not re.fullmatch(pattern, take(thing, name, str)) or len(thing[name]) > 99:
        wrong("The field `%s` is not written as it should be." % name)
    return thing[name]
def sums(thing):
    return [int(text(thing, coin, AMOUNT)) for coin in COINS]
def netstrings(fields):
    encoded = [None if field is None else str(field).encode("utf-8") for field in fields]
    return b"".join(b"," if field is None else b"%d:%s," % (len(field), field) for field in encoded)
def joined(fields): return ",".join(map(str, fields)).encode("utf-8")
def sha256(data): return hashlib.sha256(data).hexdigest()
def digest_of(day):
    fields = ["assay day 1"]
    for name, pattern in DAY_FIELDS:
        missing = name not in ("day", "previousDigest") and day.get(name, "") is None  # in the file as null
        fields.append(None if missing else text(day, name, pattern))
    if sha256(netstrings(fields)) != text(day, "digest", HASH):
        wrong("The fields of the day %s do not make its digest." % day["day"])
    return day["digest"]
def coins(amounts):
    return ", ".join("%d.%0*d %s" % (n // 10 ** COINS[c], COINS[c], n % 10 ** COINS[c], c) for c, n in zip(COINS, amounts))
def main(proof, others):
    leaf, path, day = take(proof, "leaf", dict), take(proof, "path", list), take(proof, "day", dict)
    digest, date = digest_of(day), day["day"]
    account, nonce = text(leaf, "customerId", "[0-9a-f-]{36}"), text(leaf, "nonce", "[0-9a-f-]{36}")
    balance, prepaid = sums(take(leaf, "balance", dict)), sums(take(leaf, "prepaid", dict))
    if text(leaf, "day", DATE) != date:
        wrong("The leaf is of another day than the digest.")
    if len(path) > 32:
        wrong("The path is longer than 32 steps.")
    pairs = [amount for both in zip(balance, prepaid) for amount in both]
    hashed, total = sha256(b"\0" + joined([date, account, nonce] + pairs)), [a + b for a, b in zip(balance, prepaid)]
    for step in path:
        here, beside = [hashed] + total, [text(step, "hash", HASH)] + sums(step)
        hashed = sha256(b"\1" + joined(beside + here if text(step, "side", "left|right") == "left" else here + beside))
        total = [a + b for a, b in zip(total, beside[1:])]
    if day["root"] is None or day["leaves"] is None:
        wrong("The day's digest includes no tree of what is owed.")
    if hashed != day["root"]:
        wrong("The leaf and the path do not lead to the root of the day.")
    if [str(amount) for amount in total] != [day["owedBtc"], day["owedEth"], day["owedUsdt"]]:
        wrong("The leaf and the path do not add up to what the day says is owed to everybody.")
    months = [read(other) for other in others if other.endswith(".json")]
    for kept in (other for other in others if not other.endswith(".json")):
        if not re.fullmatch("%s:%s" % (DATE, HASH), kept):
            unreadable("the argument %s is neither DAY:HASH with all 64 digits nor the name of a file in .json." % ascii(kept))
        if kept != date + ":" + digest:
            wrong("You gave a digest of %s, and the proof's day %s has the digest %s." % (kept[:10], date, digest))
    if any(type(month) is not list for month in months):
        unreadable("a file of a month is not a list of days.")
    found = [digest_of(other) for month in months for other in month if take(other, "day", str) == date]
    if months and set(found) != {digest}:
        wrong("The files of the months do not have the day %s with the digest %s." % (date, digest))
    print("ok: On %s, what is owed to everybody includes what is owed to account %s." % (date, account))
    print("  Balance:           %s\n  Prepaid:           %s" % (coins(balance), coins(prepaid)))
    print("  Owed to everybody: %s\n  Leaves:            %s, by the company's own count" % (coins(total), day["leaves"]))
    print("  Digest of the day: %s, %s" % (digest, "as you gave it" if others else "to be compared with one seen elsewhere"))
if __name__ == "__main__":
    main(read(sys.argv[1]), sys.argv[2:]) if len(sys.argv) > 1 else unreadable("no file was named.")
