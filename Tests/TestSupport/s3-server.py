"""Object storage for tests: moto with a proxy that counts requests and injects faults: s3-server.py FOLDER.

The bucket `films` has the files of the folder as they are and below the folders of FOLDERS.

Requests are checked for their signatures once the keys exist (INITIAL_NO_AUTH_ACTION_COUNT). The first line of the
standard output is the port, the second one the access key ID and the secret access key; each further one is a request
as `METHOD PATH RANGE STATUS BYTES`.

Of keys below these folders, requests fail: `broken/` closes the connection in the middle of the first response with
each 16th range, `busy/` answers the first request for such a range with SlowDown, `gone/` fails with InternalError from its second range on,
`elsewhere/` redirects requests that are not signed for eu-south-1, and `paid/` refuses requests whose requester does
not pay.

Of keys below these folders, uploads fail: `slow/` answers the first one with SlowDown, `dropped/` closes the connection
in the middle of the first one, `lost/` closes it after the object was created, `denied/` refuses all, `old/` does not
know conditions, `failing/` refuses the second part, and `hanging/` never answers it.

Listings of these buckets are hostile: `same-token`, `no-token`, `deep`, `long-keys`, `no-xml`, `empty-pages`; that of
`odd-keys` is well-formed. `slow-list` answers each second listing with SlowDown, and is otherwise empty.

Tests control it without a signature: `/-/load?bucket=B&folder=F` creates a bucket with the files of a folder,
`/-/save?bucket=B&folder=F` does the reverse, `/-/keys?bucket=B` prints the escaped keys, `/-/uploads?bucket=B` the
number of unfinished uploads, `/-/put?bucket=B&key=K&size=N` creates an object of blanks.
"""
import collections
import http.client
import http.server
import json
import os
import re
import sys
import threading
import time
import urllib.parse

# CreateUser, PutUserPolicy and CreateAccessKey.
os.environ["INITIAL_NO_AUTH_ACTION_COUNT"] = "3"

import boto3  # noqa: E402
from moto.server import ThreadedMotoServer  # noqa: E402

moto = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
moto.start()
host, port = moto.get_host_and_port()

iam = boto3.client("iam", region_name="us-east-1", endpoint_url=f"http://{host}:{port}", aws_access_key_id="x", aws_secret_access_key="x")
iam.create_user(UserName="tester")
policy = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "*", "Resource": "*"}]}
iam.put_user_policy(UserName="tester", PolicyName="all", PolicyDocument=json.dumps(policy))
key = iam.create_access_key(UserName="tester")["AccessKey"]

FOLDERS = ["", "counted/", "broken/", "busy/", "gone/", "elsewhere/", "paid/", "ä b+%41/..//"]
s3 = boto3.client(
    "s3", region_name="us-east-1", endpoint_url=f"http://{host}:{port}", aws_access_key_id=key["AccessKeyId"],
    aws_secret_access_key=key["SecretAccessKey"])
s3.create_bucket(Bucket="films")
for name in sorted(os.listdir(sys.argv[1])):
    with open(os.path.join(sys.argv[1], name), "rb") as file:
        data = file.read()
    for folder in FOLDERS:
        s3.put_object(Bucket="films", Key=folder + name, Body=data)

counts = collections.Counter()
lock = threading.Lock()


def explained(code):
    return f"<?xml version='1.0'?><Error><Code>{code}</Code><Message>x</Message></Error>".encode()


def listing(entries, truncated="", encoding="<EncodingType>url</EncodingType>"):
    return f"<?xml version='1.0'?><ListBucketResult>{encoding}{entries}{truncated}</ListBucketResult>".encode()


def contents(key, size=5, more=""):
    return f"<Contents><Key>{key}</Key><LastModified>2020-01-02T03:04:05.678Z</LastModified><ETag>&quot;x&quot;</ETag><Size>{size}</Size>{more}</Contents>"


MORE = "<IsTruncated>true</IsTruncated>"
HOSTILE = {
    "same-token": lambda token: listing(contents("a.mkv") + contents("b.mkv"), MORE + "<NextContinuationToken>x</NextContinuationToken>"),
    "no-token": lambda token: listing(contents("a.mkv"), MORE),
    "deep": lambda token: listing("<a>" * 100_000 + "</a>" * 100_000),
    "long-keys": lambda token: listing(contents("k" * 1_000_000) + contents("%zz") + contents("%ff") + contents("a%00b") + contents("c", "-1") + contents("a.mkv")),
    "no-xml": lambda token: b"<html><body>please log in</body></html>",
    "empty-pages": lambda token: listing("", f"{MORE}<NextContinuationToken>{int(token or 0) + 1}</NextContinuationToken>"),
    "slow-list": lambda token: listing(""),
    "odd-keys": lambda token: listing(
        contents("a+b%2Bc%25.mkv") + contents("%01%0A%7F.mkv") + contents("folder/", 0) + contents("../x.mkv") + contents("a//b.mkv")
        + contents("./c.mkv") + contents("%C3%A4%F0%9F%98%80.mkv", more="<Owner><Key>no</Key></Owner>")),
}


def control(path):
    command, _, query = path.removeprefix("/-/").partition("?")
    values = dict(urllib.parse.parse_qsl(query, errors="surrogateescape"))
    bucket = values["bucket"]
    if command == "load":
        s3.create_bucket(Bucket=bucket)
        top = values["folder"]
        for folder, _, names in os.walk(top):
            for name in names:
                whole = os.path.join(folder, name)
                with open(whole, "rb") as file:
                    s3.put_object(Bucket=bucket, Key=os.path.relpath(whole, top), Body=file.read())
    elif command == "put":
        s3.put_object(Bucket=bucket, Key=values["key"], Body=b" " * int(values["size"]))
    elif command == "save":
        for key in keys(bucket):
            whole = os.path.join(values["folder"], key)
            os.makedirs(os.path.dirname(whole), exist_ok=True)
            with open(whole, "wb") as file:
                file.write(s3.get_object(Bucket=bucket, Key=key)["Body"].read())
    elif command == "keys":
        return "".join(urllib.parse.quote(key) + "\n" for key in keys(bucket))
    elif command == "type":
        return s3.head_object(Bucket=bucket, Key=values["key"])["ContentType"]
    elif command == "uploads":
        return str(len(s3.list_multipart_uploads(Bucket=bucket).get("Uploads", [])))
    return "done"


def keys(bucket):
    pages = s3.get_paginator("list_objects_v2").paginate(Bucket=bucket)
    return [item["Key"] for page in pages for item in page.get("Contents", [])]


class Proxy(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self):
        if self.path.startswith("/-/"):
            return self.send(200, {}, control(self.path).encode(), "-")
        if "/dropped/" in self.path and self.command == "PUT" and self.is_first():
            self.rfile.read(int(self.headers["Content-Length"]) // 2)
            self.close_connection = True
            return
        length = int(self.headers.get("Content-Length", 0))
        body = self.rfile.read(length)
        with lock:
            wanted = self.headers.get("Range", "-")
            counts[self.command, self.path] += 1
            count = counts[self.command, self.path]
            counts[self.path, wanted] += 1
            is_first = counts[self.path, wanted] == 1
        bucket, _, query = self.path[1:].partition("?")
        if bucket in HOSTILE and "list-type=2" in query:
            if bucket == "slow-list" and counts[self.command, self.path] % 2 == 1:
                return self.send(503, {}, explained("SlowDown"), wanted)
            token = dict(urllib.parse.parse_qsl(query)).get("continuation-token")
            return self.send(200, {}, HOSTILE[bucket](token), wanted)
        if self.command in ("PUT", "POST"):
            if "/slow/" in self.path and counts[self.command, self.path] == 1:
                return self.send(503, {}, explained("SlowDown"), wanted)
            if "/denied/" in self.path:
                return self.send(403, {}, explained("AccessDenied"), wanted)
            if "/old/" in self.path and "If-None-Match" in self.headers:
                return self.send(501, {}, explained("NotImplemented"), wanted)
            if "partNumber=2" in self.path and "/failing/" in self.path:
                return self.send(403, {}, explained("AccessDenied"), wanted)
            if "partNumber=2" in self.path and "/hanging/" in self.path:
                with lock:
                    print(self.command, self.path, wanted, 0, 0, flush=True)
                time.sleep(600)
        start = re.match("bytes=([0-9]+)-", wanted)
        is_chosen = is_first and start and int(start[1]) % 16 == 0
        if "/busy/" in self.path and is_chosen:
            return self.send(503, {}, explained("SlowDown"), wanted)
        if "/gone/" in self.path and self.command == "GET" and count > 1:
            return self.send(500, {}, explained("InternalError"), wanted)
        if "/elsewhere/" in self.path and "/eu-south-1/s3/" not in self.headers.get("Authorization", ""):
            return self.send(301, {"x-amz-bucket-region": "eu-south-1"}, explained("PermanentRedirect"), wanted)
        if "/paid/" in self.path and self.headers.get("x-amz-request-payer") != "requester":
            return self.send(403, {}, explained("AccessDenied"), wanted)
        upstream = http.client.HTTPConnection(host, port, timeout=60)
        upstream.putrequest(self.command, self.path, skip_host=True, skip_accept_encoding=True)
        for name, value in self.headers.items():
            upstream.putheader(name, value)
        upstream.endheaders(body)
        reply = upstream.getresponse()
        data = reply.read()
        if "/lost/" in self.path and (self.command == "PUT" or "uploadId" in self.path) and self.is_first():
            self.close_connection = True
            return
        fields = {name: value for name, value in reply.getheaders() if name.lower() not in ("connection", "transfer-encoding") and (self.command == "HEAD" or name.lower() != "content-length")}
        if "/broken/" in self.path and is_chosen:
            self.send(reply.status, fields, data, wanted, sent=len(data) // 2)
            self.close_connection = True
            return
        self.send(reply.status, fields, data, wanted)

    def is_first(self):
        with lock:
            counts["first", self.command, self.path] += 1
            return counts["first", self.command, self.path] == 1

    def send(self, status, fields, data, wanted, sent=None):
        self.send_response_only(status)
        for name, value in fields.items():
            self.send_header(name, value)
        if "Content-Length" not in fields:
            self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.command == "HEAD":
            data = b""
        self.wfile.write(data[:sent])
        self.wfile.flush()
        with lock:
            print(self.command, self.path, wanted, status, len(data), flush=True)

    do_GET = do_PUT = do_POST = do_DELETE = do_HEAD = answer


def watch(parent):
    """Ends with the process that started it, in whichever way that ends."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(0)


threading.Thread(target=watch, args=[os.getppid()], daemon=True).start()
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Proxy)
server.daemon_threads = True
print(server.server_address[1], flush=True)
print(key["AccessKeyId"], key["SecretAccessKey"], flush=True)
server.serve_forever()
