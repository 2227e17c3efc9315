"""Object storage for tests: moto with a proxy that counts requests and injects faults: s3-server.py FOLDER.

The bucket `films` has the files of the folder as they are and below the folders of FOLDERS.

Requests are checked for their signatures once the keys exist (INITIAL_NO_AUTH_ACTION_COUNT). The first line of the
standard output is the port, the second one the access key ID and the secret access key; each further one is a request
as `METHOD PATH RANGE STATUS BYTES`.

Of keys below these folders, requests fail: `broken/` closes the connection in the middle of the first response with
each 16th range, `busy/` answers the first request for such a range with SlowDown, `gone/` fails with InternalError from its second range on,
`elsewhere/` redirects requests that are not signed for eu-south-1, and `paid/` refuses requests whose requester does
not pay.
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


class Proxy(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self):
        length = int(self.headers.get("Content-Length", 0))
        body = self.rfile.read(length)
        with lock:
            wanted = self.headers.get("Range", "-")
            counts[self.command, self.path] += 1
            count = counts[self.command, self.path]
            counts[self.path, wanted] += 1
            is_first = counts[self.path, wanted] == 1
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
        fields = {name: value for name, value in reply.getheaders() if name.lower() not in ("content-length", "connection", "transfer-encoding")}
        if "/broken/" in self.path and is_chosen:
            self.send(reply.status, fields, data, wanted, sent=len(data) // 2)
            self.close_connection = True
            return
        self.send(reply.status, fields, data, wanted)

    def send(self, status, fields, data, wanted, sent=None):
        self.send_response_only(status)
        for name, value in fields.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
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
