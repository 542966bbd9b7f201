#!/usr/bin/python3
"""The independent reader and gpsnap replay tell the same of a recording of
this host: every counter's growth per process, and the memory at the end."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                '..', 'lib'))
import gstest
import reader
