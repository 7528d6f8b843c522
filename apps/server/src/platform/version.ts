import { parseJson } from '@jiaowu/api/exact-json'
import { readFileSync } from 'node:fs'

const { version: read } = parseJson(
  readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8'),
) as { version: string }

/** The version of the product, from the root package.json. */
export const version: string = read
