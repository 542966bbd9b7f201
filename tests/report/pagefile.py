# SPDX-License-Identifier: Apache-2.0
"""The parts of a page, read without a browser."""
import base64
import json
import re
import struct
import zlib


class Page:
    def __init__(self, path):
        with open(path, encoding='ascii') as f:
            self.text = f.read()
        block = re.search(r'<script type="application/octet-stream" '
                          r'id="data">([A-Za-z0-9+/=]*)</script>', self.text)
        data = zlib.decompress(base64.b64decode(block.group(1)))
        length, = struct.unpack('<I', data[:4])
        self.head = json.loads(data[4:4 + length])
        self.numbers = data[4 + length:]
        self.around = self.text.replace(block.group(1), '')
        self.policy = re.search(r'Content-Security-Policy" content="([^"]*)"',
                                self.text).group(1)
        self.script = re.search(r'<script>(.*?)</script>', self.text,
                                re.S).group(1)
        self.style = re.search(r'<style>(.*?)</style>', self.text,
                               re.S).group(1)

    def table(self, name):
        return [t for t in self.head['tables'] if t['name'] == name][0]
