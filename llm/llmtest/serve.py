"""Serves a model on loopback through llama.cpp's server, until its standard input is closed: serve.py MODEL.gguf PORT CONTEXT"""
import os
import sys

import xllamacpp

settings = xllamacpp.CommonParams()
settings.model.path, settings.port = sys.argv[1], int(sys.argv[2])
settings.n_ctx, settings.n_parallel = int(sys.argv[3]), 1
settings.cpuparams.n_threads = settings.cpuparams_batch.n_threads = 1
settings.use_jinja, settings.offline, settings.ui = True, True, False
settings.model_alias = {"small"}
server = xllamacpp.Server(settings)
sys.stdin.read()
os._exit(0)
