import { holdsValue } from '@jiaowu/api/fields/kinds'
import { parseJson } from '@jiaowu/api/exact-json'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import * as v from 'valibot'
import type { CommandLine } from '../command-line.ts'
import { connect } from './connect.ts'
import type { Api } from './api.ts'
import { recordButtons } from '../entities/record-buttons.ts'
import { loadEntityTags } from '../entities/entity-tags.ts'
import { clean } from '../terminal/terminal-text.ts'

/** A completion candidate and its description. */
export interface Named {
  readonly value: string
  readonly about: string
}

const cacheFile = v.object({
  at: v.number(),
  names: v.array(v.object({ value: v.string(), about: v.string() })),
})
const maxAge = 60_000 // milliseconds: completion asks often, but a new field should appear soon

export function entityNames(line: CommandLine): Promise<readonly Named[]> {
  return loadCachedNames(line, 'entities', async (api) =>
    (await loadEntityTags(api, line.signal)).map(({ tag, name }) => ({ value: tag, about: name })),
  )
}

/**
 * Names from the server, cached for a minute in `$XDG_CACHE_HOME/jiaowu`; falls back to older names
 * if the call fails.
 */
async function loadCachedNames(
  line: CommandLine,
  what: string,
  ask: (api: Api) => Promise<readonly Named[]>,
): Promise<readonly Named[]> {
  const folder = join(line.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'jiaowu')
  const path = join(
    folder,
    `${createHash('sha256')
      .update(
        JSON.stringify([line.server, line.profile, line.locale, line.env.JIAOWU_TOKEN ?? '', what]),
      )
      .digest('hex')
      .slice(0, 32)}.json`,
  )
  const read = () => {
    try {
      const parsed = v.safeParse(cacheFile, parseJson(readFileSync(path, 'utf8')))
      return parsed.success ? parsed.output : null
    } catch {
      return null // no file yet, or a damaged one
    }
  }
  const old = read()
  if (old !== null && Date.now() - old.at < maxAge) return old.names
  try {
    const names = (await ask(connect(line).api)).map(({ value, about }) => ({
      value: clean(value),
      about: clean(about).replace(/\s+/g, ' '),
    }))
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeFileSync(`${path}.${process.pid}`, JSON.stringify({ at: Date.now(), names }), {
      mode: 0o600,
    })
    renameSync(`${path}.${process.pid}`, path)
    return names
  } catch (error) {
    if (old === null) throw error
    return old.names
  }
}

export function fieldNames(line: CommandLine, tag: string): Promise<readonly Named[]> {
  return loadCachedNames(line, `fields ${tag}`, async (api) =>
    (await api.entityData.config({ params: { tag }, signal: line.signal })).fields
      .filter((field) => holdsValue(field.uiType))
      .map((field) => ({ value: field.attrName, about: field.uiLabel })),
  )
}

/** Buttons of a record: position 2 (row), 3 (form) and 4 (details). */
export function buttonNames(line: CommandLine, tag: string): Promise<readonly Named[]> {
  return loadCachedNames(line, `buttons ${tag}`, async (api) =>
    recordButtons(await api.entityData.config({ params: { tag }, signal: line.signal })).map(
      ({ code, name }) => ({ value: code, about: name }),
    ),
  )
}

/** The events that the caller may send for a record now. */
export function eventNames(line: CommandLine, tag: string, id: string): Promise<readonly Named[]> {
  return loadCachedNames(line, `events ${tag} ${id}`, async (api) =>
    (await api.flow.read({ params: { tag, id }, signal: line.signal })).can.map(
      ({ event, name }) => ({ value: event, about: name }),
    ),
  )
}

export function viewNames(line: CommandLine, tag: string): Promise<readonly Named[]> {
  return loadCachedNames(line, `views ${tag}`, async (api) =>
    (await api.view.list({ params: { tag }, signal: line.signal })).views.map(
      ({ name, roleName }) => ({ value: name, about: roleName ?? '' }),
    ),
  )
}
