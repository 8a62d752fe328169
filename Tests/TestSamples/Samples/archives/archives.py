#!/usr/bin/env python3
"""Keyed archives in the layout of NSKeyedArchiver, written and read only with Python's plistlib.

usage: archives.py make FOLDER     writes the samples of the tests
       archives.py meaning         reads an archive from standard input, and prints its contents as JSON
"""
import base64, datetime, json, plistlib, sys
from plistlib import UID

EPOCH = datetime.datetime(2001, 1, 1)


def b64u(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def token(claims):
    """An ID token as ADAL stores it; its signature is never checked."""
    head = {"alg": "RS256", "kid": "k", "typ": "JWT"}
    return ".".join(b64u(json.dumps(part, separators=(",", ":"), ensure_ascii=False).encode()) for part in (head, claims)) + ".c2ln"


class Archive:
    """Numbers objects in the order of their first occurrence, and classes after their first object, as Apple's archiver does."""

    def __init__(self):
        self.objects, self.strings, self.classes = ["$null"], {}, {}

    def uid(self, value):
        if value is None:
            return UID(0)
        if isinstance(value, (str, bool, int, float, bytes)):
            key = (type(value), value)
            if key not in self.strings:
                self.strings[key] = self.append(value)
            return UID(self.strings[key])
        index = self.append(None)
        self.objects[index] = value(self)
        return UID(index)

    def append(self, value):
        self.objects.append(value)
        return len(self.objects) - 1

    def cls(self, *chain):
        if chain not in self.classes:
            self.classes[chain] = self.append({"$classes": list(chain), "$classname": chain[0]})
        return UID(self.classes[chain])

    def data(self, root):
        top = self.uid(root)
        return plistlib.dumps(
            {"$archiver": "NSKeyedArchiver", "$version": 100000, "$top": {"root": top}, "$objects": self.objects},
            fmt=plistlib.FMT_BINARY, sort_keys=False)


def date(seconds):
    return lambda a: {"NS.time": float(seconds), "$class": a.cls("NSDate", "NSObject")}


def url(text, base=None):
    return lambda a: {"NS.base": a.uid(base), "NS.relative": a.uid(text), "$class": a.cls("NSURL", "NSObject")}


def null():
    return lambda a: {"$class": a.cls("NSNull", "NSObject")}


def array(*values, chain=("NSArray", "NSObject")):
    return lambda a: {"NS.objects": [a.uid(v) for v in values], "$class": a.cls(*chain)}


def dictionary(entries, mutable=False):
    chain = (("NSMutableDictionary",) if mutable else ()) + ("NSDictionary", "NSObject")
    return lambda a: {
        "NS.keys": [a.uid(k) for k in entries], "NS.objects": [a.uid(v) for v in entries.values()],
        "$class": a.cls(*chain)}


def user(id_token, claims, user_id):
    return lambda a: {
        "rawIdToken": a.uid(id_token), "allClaims": a.uid(dictionary(claims)), "userId": a.uid(user_id),
        "userIdDisplayable": True, "$class": a.cls("ADUserInformation", "NSObject")}


def item(**fields):
    def make(a):
        entries = {name: a.uid(value) for name, value in fields.items()}
        entries["$class"] = a.cls("ADTokenCacheStoreItem", "NSObject")
        return entries
    return make


ADA = {"aud": "b6c69a37-df96-4db0-9088-2ab96e1d8215", "oid": "2c8f0c6e-4b1d-4f7a-8e35-90ad1b7e6f21",
       "tid": "5b1f3c2e-7a64-4e0d-9c85-1d2f6a7b8c90", "upn": "Ada@contoso.com", "unique_name": "ada@contoso.com",
       "name": "Ada Lovelace", "ver": "1.0", "iat": 1772442000, "exp": 1772445600}
ZOE = {**ADA, "name": "Zoë 日本", "amr": ["pwd", "mfa"]}


def samples():
    old = dict(additionalClient=dictionary({}, mutable=True), additionalServer=dictionary({}), sessionKey=None,
               accessTokenType="Bearer", authority="https://login.windows.net/common", familyId=None)
    who = user(token(ADA), ADA, "ada@contoso.com")
    yield "adal-2.6.6-access-token", item(
        resource="https://graph.windows.net", clientId=ADA["aud"], accessToken="eyJ0.access.c2ln", refreshToken=None,
        expiresOn=date(794138400.25), userInformation=who, **old)
    yield "adal-2.6.6-refresh-token", item(
        resource=None, clientId=ADA["aud"], accessToken=None, refreshToken="0.AVERYold", expiresOn=None,
        userInformation=who, **old)
    server = {"extended_expires_on": date(794142000), "spe_info": "I", "token_endpoint":
              url("oauth2/token", url("https://login.windows.net/")), "nothing": null(),
              "hosts": array("login.windows.net", "login.microsoftonline.com",
                             chain=("NSMutableArray", "NSArray", "NSObject"))}
    yield "adal-2.7-family", item(
        authority="https://login.windows.net/common", accessToken=None, refreshToken="0.AFAMILY",
        userInformation=user(token(ZOE), {**ZOE, "amr": array(*ZOE["amr"])}, "ada@contoso.com"),
        accessTokenType="Bearer", clientId="foci-1", resource=None, expiresOn=None, cachedAt=date(794134800.5),
        familyId="1", additionalClient=dictionary({}, mutable=True), additionalServer=dictionary(server),
        homeAccountId=ADA["oid"] + "." + ADA["tid"], enrollmentId=None, applicationIdentifier=None, clientInfo=None)


def meaning(objects, value, depth=0):
    """Returns the value without UIDs; classes are preserved as `$class`."""
    assert depth < 64
    if isinstance(value, UID):
        return None if value.data == 0 else meaning(objects, objects[value.data], depth + 1)
    if isinstance(value, bytes):
        return {"data": value.hex()}
    if isinstance(value, list):
        return [meaning(objects, v, depth + 1) for v in value]
    if not isinstance(value, dict):
        return value
    fields = {k: meaning(objects, v, depth + 1) for k, v in value.items() if k != "$class"}
    name = objects[value["$class"].data]["$classname"]
    chain = objects[value["$class"].data]["$classes"]
    if name in ("NSArray", "NSMutableArray"):
        return fields["NS.objects"]
    if name == "NSDictionary" or name == "NSMutableDictionary":
        pairs = sorted(zip(map(str, fields["NS.keys"]), fields["NS.objects"]))
        return {"$class": chain, "entries": dict(pairs)}
    return {"$class": chain, **fields}


def main():
    if sys.argv[1:2] == ["make"] and len(sys.argv) == 3:
        for name, root in samples():
            with open(f"{sys.argv[2]}/{name}.bplist", "wb") as file:
                file.write(Archive().data(root))
    elif sys.argv[1:] == ["meaning"]:
        top = plistlib.loads(sys.stdin.buffer.read(), fmt=plistlib.FMT_BINARY)
        assert top["$archiver"] == "NSKeyedArchiver" and top["$version"] == 100000
        print(json.dumps(meaning(top["$objects"], top["$top"]["root"]), sort_keys=True, indent=1, ensure_ascii=False))
    else:
        sys.exit(__doc__)


main()
