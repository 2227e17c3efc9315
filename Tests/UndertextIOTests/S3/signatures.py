"""Prints signatures that botocore makes, one JSON object a line: signatures.py SEED COUNT.

`signatures.py 1 200 > signatures.jsonl` records the fixture. The keys are made up.
"""
import base64
import datetime
import hashlib
import json
import random
import sys

import botocore.auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials
from botocore.utils import percent_encode, percent_encode_sequence

SPECIAL = [
    "a b", "a+b", "100%", "%41", "%2F", "%25", "ä", "日本語", "😀", "e\u0301", "//", "/../", "/./", "..", "~", "'", '"', "!", "*", "(", ")",
    "&", "=", "?", "#", "@", ":", ";", ",", "$", "[", "]", "{", "}", "|", "\\", "^", "`", "<", ">", "_", "-", ".", "0", "Z", "/", " ",
]
QUERIES = [
    [], [], [], [("list-type", "2"), ("prefix", "a b/ä+%"), ("encoding-type", "url")],
    [("uploads", "")], [("partNumber", "12"), ("uploadId", "x/y+z==")],
    [("list-type", "2"), ("continuation-token", "1ueGcxLPRx1Tr/XYExHnhbYLgveDs2J/wm36Hy4vbOwM="), ("delimiter", "/")],
    [("list-type", "2"), ("encoding-type", "url"), ("prefix", ""), ("delimiter", "/"), ("max-keys", "1")],
    [("b", "2"), ("a", "2"), ("a", "1"), ("a-b", ""), ("A", "0")],
]


def case(chance):
    key = "".join(chance.choice(SPECIAL) for _ in range(chance.randint(1, 8)))
    bucket = chance.choice(["films", "my-bucket.example", "b0", "Old_Bucket"])
    query = chance.choice(QUERIES)
    secret = "".join(chance.choice("ABCdef123/+") for _ in range(40))
    token = chance.choice([None, None, "FwoGZXIvYXdzE//" + "a+/=" * chance.randint(1, 60)])
    region = chance.choice(["us-east-1", "eu-central-1", "cn-north-1", "garage"])
    endpoint = chance.choice(["https://s3.example.com", "http://127.0.0.1:9000", "https://minio.test:443", "http://[::1]:8333"])
    method = chance.choice(["GET", "GET", "GET", "PUT", "POST"])
    body = b"" if method == "GET" else chance.randbytes(chance.randint(0, 50))
    headers = {}
    if method == "GET" and chance.random() < 0.5:
        headers["Range"] = "bytes=%d-%d" % (chance.randint(0, 99), chance.randint(100, 9999))
    if method != "GET":
        headers["Content-Type"] = chance.choice(["text/plain", "application/x-subrip;  charset=utf-8 "])
    # botocore leaves the body out of the signature only over https and if a checksum protects it.
    signs_body = chance.random() < 0.5
    if method != "GET" and not signs_body:
        headers["Content-MD5"] = base64.b64encode(hashlib.md5(body).digest()).decode()
    if method == "PUT" and chance.random() < 0.5:
        headers["If-None-Match"] = "*"
    pays = chance.random() < 0.3
    seconds = chance.randint(0, 4_000_000_000)

    url = f"{endpoint}/{bucket}/{percent_encode(key, safe='/~')}"
    if query:
        url += "?" + percent_encode_sequence(query)
    sent = dict(headers)
    if pays:
        sent["x-amz-request-payer"] = "requester"
    request = AWSRequest(method=method, url=url, headers=sent, data=body)
    request.context["client_config"] = None
    request.context["payload_signing_enabled"] = signs_body
    now = datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc)
    botocore.auth.get_current_datetime = lambda *a, **k: now.replace(tzinfo=None)
    botocore.auth.S3SigV4Auth(Credentials("AKIDEXAMPLE", secret, token), "s3", region).add_auth(request)
    return {
        "endpoint": endpoint, "bucket": bucket, "key": key, "query": [list(pair) for pair in query], "method": method, "headers": headers,
        "secret": secret, "token": token, "region": region, "pays": pays, "time": seconds, "url": url,
        "payload": request.headers["X-Amz-Content-SHA256"], "authorization": request.headers["Authorization"],
    }


def main():
    chance = random.Random(int(sys.argv[1]))
    for _ in range(int(sys.argv[2])):
        print(json.dumps(case(chance), ensure_ascii=False))


main()
