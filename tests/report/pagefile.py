# SPDX-License-Identifier: Apache-2.0
"""The parts of a page, read without a browser."""
import base64
import json
import re
import struct
import zlib


def data_of(served):
    """What is measured, of data as gpsnap web gives them."""
    data = zlib.decompressobj().decompress(served[4:])
    length, = struct.unpack('<I', data[:4])
    source, measured = json.loads(data[4:4 + length])
    return {**measured, **source}


class Page:
    def __init__(self, path):
        with open(path, encoding='ascii') as f:
            self.text = f.read()
        self.around = self.text
        (source, measured), first = self._block('data')
        texts, rest = self._block('rest')
        self.head = {**measured, **source}
        self.head['texts'] += texts  # the page needs them later
        self.numbers = first + rest
        self.policy = re.search(r'Content-Security-Policy" content="([^"]*)"',
                                self.text).group(1)
        self.script = re.search(r'<script>(.*?)</script>', self.text,
                                re.S).group(1)
        self.style = re.search(r'<style>(.*?)</style>', self.text,
                               re.S).group(1)

    def _block(self, name):
        """Its JSON and its numbers."""
        block = re.search(r'<script type="application/octet-stream" '
                          r'id="%s">([A-Za-z0-9+/=]*)</script>' % name,
                          self.text).group(1)
        data = zlib.decompress(base64.b64decode(block))
        length, = struct.unpack('<I', data[:4])
        self.around = self.around.replace(block, '')
        return json.loads(data[4:4 + length]), data[4 + length:]

    def table(self, name):
        return [t for t in self.head['tables'] if t['name'] == name][0]
