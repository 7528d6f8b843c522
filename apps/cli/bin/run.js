// Runs the command. Loaded by jiaowu.js once the version of Node is known to be sufficient.
import { existsSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { pathToFileURL } from 'node:url'
import { buildIfStale, main } from './build.js'

if (process.env.JIAOWU_BUILD !== '0' || !existsSync(main)) buildIfStale()
enableCompileCache()
await import(pathToFileURL(main).href)
