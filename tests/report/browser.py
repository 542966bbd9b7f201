# SPDX-License-Identifier: Apache-2.0
"""A headless Chromium, driven by its DevTools protocol over a pipe: real
pointer and key events, the console, and every request that a page makes."""
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

WAIT_S = 60


def find():
    """Its path, or None."""
    for name in ('chromium', 'chromium-browser', 'google-chrome'):
        path = shutil.which(name)
        if path:
            return path
    return None


class Browser:
    """One tab.  console: what the page said that is no plain message;
    requests: addresses that it asked for."""

    def __init__(self, width=1280, height=1000):
        # a process of the browser may outlive the first for a moment
        self.home = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.buffer = b''
        self.n = 0
        self.answers = {}
        self.console = []
        self.requests = []
        self.loaded = False
        self._start(width, height)

    def _start(self, width, height):
        out_r, out_w = os.pipe()
        in_r, in_w = os.pipe()

        def descriptors():
            # the ends may have these numbers already
            a, b = os.dup(in_r), os.dup(out_w)
            os.dup2(a, 3)
            os.dup2(b, 4)

        self.process = subprocess.Popen(
            [find(), '--headless=new', '--no-sandbox', '--disable-gpu',
             '--remote-debugging-pipe', '--hide-scrollbars',
             '--disable-background-networking', '--no-first-run',
             '--force-device-scale-factor=1',
             '--user-data-dir=' + self.home.name,
             '--window-size=%d,%d' % (width, height), 'about:blank'],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            close_fds=False, preexec_fn=descriptors,
            env=dict(os.environ, HOME=self.home.name))
        os.close(in_r)
        os.close(out_w)
        self.to, self.from_ = in_w, out_r
        targets = self._call('Target.getTargets')['targetInfos']
        page = [t for t in targets if t['type'] == 'page'][0]
        self.session = self._call('Target.attachToTarget', {
            'targetId': page['targetId'], 'flatten': True})['sessionId']
        self._call('Browser.setDownloadBehavior', {'behavior': 'deny'})
        for domain in ('Page', 'Runtime', 'Network', 'Log'):
            self.call(domain + '.enable')

    def close(self):
        self.process.kill()
        self.process.wait()
        os.close(self.to)
        os.close(self.from_)
        self.home.cleanup()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    # ---- the protocol ------------------------------------------------

    def _message(self):
        end = time.monotonic() + WAIT_S
        while b'\0' not in self.buffer:
            ready, _, _ = select.select([self.from_], [], [],
                                        max(end - time.monotonic(), 0))
            if not ready:
                raise TimeoutError('the browser says nothing')
            part = os.read(self.from_, 1 << 16)
            if not part:
                raise EOFError('the browser has ended')
            self.buffer += part
        line, self.buffer = self.buffer.split(b'\0', 1)
        return json.loads(line)

    def _note(self, m):
        p = m.get('params', {})
        if m['method'] == 'Runtime.exceptionThrown':
            d = p['exceptionDetails']
            self.console.append('%s %s' % (d.get('text'), d.get(
                'exception', {}).get('description')))
        elif m['method'] == 'Log.entryAdded':
            self.console.append(p['entry']['text'])
        elif m['method'] == 'Runtime.consoleAPICalled':
            self.console.append(str([a.get('value') for a in p['args']]))
        elif m['method'] == 'Network.requestWillBeSent':
            self.requests.append(p['request']['url'])
        elif m['method'] == 'Page.loadEventFired':
            self.loaded = True

    def _call(self, method, params=None, session=None):
        self.n += 1
        own = self.n
        m = {'id': own, 'method': method, 'params': params or {}}
        if session:
            m['sessionId'] = session
        os.write(self.to, json.dumps(m).encode() + b'\0')
        while True:
            got = self._message()
            if 'method' in got:
                self._note(got)
            elif got.get('id') == own:
                if 'error' in got:
                    raise RuntimeError('%s: %s' % (method, got['error']))
                return got['result']

    def call(self, method, **params):
        return self._call(method, params, self.session)

    # ---- what tests need ---------------------------------------------

    def open(self, path, after=''):
        self.loaded = False
        self.call('Page.navigate', url='about:blank')
        self.loaded = False
        self.call('Page.navigate', url=(path if '://' in path
                                        else 'file://' + path) + after)
        end = time.monotonic() + WAIT_S
        while time.monotonic() < end:
            try:
                drawn = self.eval('document.documentElement?.dataset.state')
            except RuntimeError: # the page before has just gone
                drawn = None
            if self.loaded and drawn == 'read':
                return
            time.sleep(0.02)
        raise TimeoutError('not drawn: %s' % self.console)

    def eval(self, code):
        r = self.call('Runtime.evaluate', expression=code,
                      returnByValue=True, awaitPromise=True,
                      userGesture=True)
        if 'exceptionDetails' in r:
            raise RuntimeError(r['exceptionDetails'])
        return r['result'].get('value')

    def settle(self):
        """Until what was asked for is drawn."""
        self.eval('new Promise((done) => requestAnimationFrame(() => '
                  'requestAnimationFrame(() => setTimeout(done, 0))))')

    def box(self, selector):
        return self.eval(
            '(() => { const e = document.querySelector(%s); '
            'e.scrollIntoView({ block: "center" }); '
            'const b = e.getBoundingClientRect(); '
            'return [b.left, b.top, b.width, b.height]; })()'
            % json.dumps(selector))

    def pointer(self, kind, x, y, **more):
        self.call('Input.dispatchMouseEvent', type=kind, x=x, y=y,
                  **more)

    def click(self, selector):
        x, y, w, h = self.box(selector)
        self.press_at(x + w / 2, y + h / 2)

    def press_at(self, x, y):
        self.pointer('mouseMoved', x, y)
        for kind in ('mousePressed', 'mouseReleased'):
            self.pointer(kind, x, y, button='left', clickCount=1)
        self.settle()

    def drag(self, x0, x1, y):
        self.pointer('mouseMoved', x0, y)
        self.pointer('mousePressed', x0, y, button='left', clickCount=1)
        for i in range(1, 6):
            self.pointer('mouseMoved', x0 + (x1 - x0) * i / 5, y,
                         button='left', buttons=1)
        self.pointer('mouseReleased', x1, y, button='left', clickCount=1)
        self.settle()

    def key(self, key, text=None, shift=False):
        named = {'/': 191, 'Enter': 13, 'Escape': 27, 'ArrowLeft': 37,
                 'ArrowRight': 39, 'ArrowDown': 40, 'Tab': 9, 'Home': 36, 'End': 35}
        more = {'text': text} if text else {}
        for kind in ('keyDown', 'keyUp'):
            self.call('Input.dispatchKeyEvent', type=kind, key=key,
                      windowsVirtualKeyCode=named.get(key, 0),
                      modifiers=8 if shift else 0,
                      **(more if kind == 'keyDown' else {}))
        self.settle()

    def type(self, text):
        self.call('Input.insertText', text=text)
        self.settle()

    def size(self, width, height):
        self.call('Emulation.setDeviceMetricsOverride', width=width,
                  height=height, deviceScaleFactor=1, mobile=False)
        self.settle()

    def media(self, **features):
        self.call('Emulation.setEmulatedMedia', features=[
            {'name': k.replace('_', '-'), 'value': v}
            for k, v in features.items()])
        self.settle()

    def shot(self, path, whole=True):
        """A picture of the page, for people."""
        r = self.call('Page.captureScreenshot', format='png',
                      captureBeyondViewport=whole)
        with open(path, 'wb') as f:
            f.write(base64.b64decode(r['data']))
