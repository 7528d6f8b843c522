#!/usr/bin/env node
import { existsSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { pathToFileURL } from 'node:url'
import { buildIfStale, main } from './build.js'

if (process.env.JIAOWU_BUILD !== '0' || !existsSync(main)) buildIfStale()
enableCompileCache?.()
await import(pathToFileURL(main).href)
