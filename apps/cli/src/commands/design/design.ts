// Definitions as code: pull them into files, check, compare and apply the files
// (docs/rules/contract.md#command-line). Applying the same files twice changes nothing.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { cutText } from '@jiaowu/api/cut-text'
import {
  type DefinitionChange,
  definitionChanges,
  entityOfPortable,
  portableEntity,
} from '@jiaowu/api/entity/definition/portable'
import {
  withoutStoredKeys,
  type DefinitionFinding,
  type Impact,
} from '@jiaowu/api/entity/definition/stored'
import type { SavedEntity } from '@jiaowu/api/contract/design'
import { messageText, t } from '@jiaowu/api/texts/index'
import { toProblem } from '@jiaowu/api/problem'
import { parseJson } from '@jiaowu/api/exact-json'
import { proveDefinition } from '@jiaowu/machines/flow/prove-definition'
import { parseEntity, unknownContext } from '@jiaowu/validation'
import type { CommandLine } from '../../command-line.ts'
import { connect } from '../../session/connect.ts'
import { confirmAct } from '../../terminal/confirm.ts'
import { textOfBytes } from '../../files/text-file.ts'
import { CommandError, exitCodes } from '../../exit.ts'
import { jsonText } from '../../terminal/terminal-text.ts'
import { findMissing, formatMissing, supplyMissing } from './supply.ts'

export interface DesignFlags {
  readonly dir: string
  readonly own?: boolean
  readonly offline?: boolean
  readonly exitCode?: boolean
  readonly dryRun?: boolean
  readonly yes?: boolean
  readonly note?: string
}
type Api = ReturnType<typeof connect>['api']
type Plain = Readonly<Record<string, unknown>>
interface DesignFile {
  readonly file: string
  readonly tag: string
  readonly content: unknown
}

const extension = '.json'
const formatDesignFile = (file: Plain) => `${jsonText(file, 2)}\n`
const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT'

/**
 * `design pull [tags...]`: writes one file per definition; leaves files with the same content
 * untouched.
 */
export async function pullDesign(
  line: CommandLine,
  tags: readonly string[],
  flags: DesignFlags,
): Promise<void> {
  const { api } = connect(line)
  const known = await storedTags(api, line.signal)
  const wanted =
    tags.length > 0
      ? [...tags]
      : known.filter(({ builtIn }) => flags.own !== true || !builtIn).map(({ tag }) => tag)
  await mkdir(flags.dir, { recursive: true })
  const written: { tag: string; file: string; changed: boolean }[] = []
  for (const tag of wanted) {
    const file = join(flags.dir, `${tag}${extension}`)
    const text = formatDesignFile(
      portableEntity(
        withoutStoredKeys(await api.design.load({ params: { tag }, signal: line.signal })),
      ),
    )
    const before = await readFile(file, 'utf8').catch((error: unknown) => {
      if (isMissing(error)) return null
      throw error
    })
    if (before !== text) await writeFile(file, text)
    written.push({ tag, file, changed: before !== text })
  }
  line.output.rows(written, () => ({
    heads: [t(line.locale, 'cli.col.tag'), t(line.locale, 'cli.col.name')],
    cells: written.filter(({ changed }) => changed).map(({ tag, file }) => [tag, file]),
  }))
  line.output.talk(
    t(line.locale, 'cli.design.pulled', {
      n: written.filter(({ changed }) => changed).length,
      same: written.filter(({ changed }) => !changed).length,
    }),
  )
}

async function storedTags(api: Api, signal: AbortSignal) {
  return (await api.design.page({ body: { pageSize: 1000 }, signal })).records
}

/**
 * `design lint`: the checks of the designer; on the server, unless `--offline`. Exit code 7 on
 * errors.
 */
export async function lintDesign(
  line: CommandLine,
  tags: readonly string[],
  flags: DesignFlags,
): Promise<void> {
  const files = await readFiles(line, tags, flags)
  const api = flags.offline === true ? null : connect(line).api
  const results: { tag: string; file: string; findings: readonly DefinitionFinding[] }[] = []
  const known = collectAttributeNames(files)
  for (const { file, tag, content } of files) {
    const findings =
      api === null
        ? offlineFindings(content, line)
        : withoutKnown(
            (await api.design.check({ body: readDesignBody(content), signal: line.signal }))
              .findings,
            content,
            known,
          )
    results.push({ tag, file, findings })
    if (!line.output.json) showFindings(line, file, findings)
  }
  if (line.output.json) line.output.rows(results, () => ({ heads: [], cells: [] }))
  if (results.some(({ findings }) => findings.some(({ severity }) => severity === 'error')))
    throw new CommandError(exitCodes.checksFailed, '')
  line.output.talk(t(line.locale, 'cli.design.clean', { n: files.length }))
}

/** The attributes of the definitions in files, as `TAG.attrName`, and their tags. */
function collectAttributeNames(files: readonly DesignFile[]): ReadonlySet<string> {
  return new Set(
    files.flatMap(({ tag, content }) => {
      const { fields } = readDesignBody(content)
      return [
        tag,
        ...(Array.isArray(fields) ? (fields as Plain[]) : []).map(
          ({ attrName }) => `${tag}.${String(attrName)}`,
        ),
      ]
    }),
  )
}

/** Leaves out the findings that an entity or attribute is missing which another file defines. */
function withoutKnown(
  findings: readonly DefinitionFinding[],
  content: unknown,
  known: ReadonlySet<string>,
): readonly DefinitionFinding[] {
  const { fields } = readDesignBody(content)
  return findings.filter(({ id, attrName }) => {
    if (id !== 'entity.E034' && id !== 'entity.E035') return true
    const field = (Array.isArray(fields) ? (fields as Plain[]) : []).find(
      (each) => each['attrName'] === attrName,
    )
    return !known.has(String(field?.['dictValue']))
  })
}

/**
 * Reads the files of these tags, or all files of the folder.
 * @throws CommandError (usage) if there are none
 */
async function readFiles(
  line: CommandLine,
  tags: readonly string[],
  { dir }: DesignFlags,
): Promise<DesignFile[]> {
  const names =
    tags.length > 0
      ? tags.map((tag) => `${tag}${extension}`)
      : (
          await readdir(dir).catch((error: unknown) => {
            if (isMissing(error)) return []
            throw error
          })
        )
          .filter((name) => name.endsWith(extension))
          .toSorted()
  if (names.length === 0)
    throw new CommandError(exitCodes.usage, t(line.locale, 'cli.design.noFiles', { dir }))
  const files: DesignFile[] = []
  for (const name of names) {
    files.push(
      await readOne(join(dir, name), line).catch((error: unknown) => {
        throw isMissing(error)
          ? new CommandError(
              exitCodes.usage,
              t(line.locale, 'cli.design.noFiles', { dir: join(dir, name) }),
            )
          : error
      }),
    )
  }
  return files
}

async function readOne(file: string, { locale }: CommandLine): Promise<DesignFile> {
  const text = textOfBytes(await readFile(file), file, locale)
  try {
    const content: unknown = parseJson(text)
    return { file, tag: tagIn(content, file), content }
  } catch (error) {
    throw new CommandError(
      exitCodes.checksFailed,
      t(locale, 'cli.design.notJson', { file, reason: (error as Error).message }),
    )
  }
}

function tagIn(content: unknown, file: string): string {
  return typeof content === 'object' &&
    content !== null &&
    typeof (content as Plain)['tag'] === 'string'
    ? String((content as Plain)['tag'])
    : basename(file, extension)
}

function offlineFindings(content: unknown, { locale }: CommandLine): DefinitionFinding[] {
  const context = { ...unknownContext, flowFindings: proveDefinition }
  return parseEntity(entityOfPortable(content), context).findings.map(
    ({ id, severity, path, attrName, message }) => ({
      id,
      severity,
      path,
      attrName,
      msg: messageText(locale, message),
    }),
  )
}

function readDesignBody(content: unknown): Record<string, unknown> {
  const body = entityOfPortable(content)
  return typeof body === 'object' && body !== null && !Array.isArray(body)
    ? (body as Record<string, unknown>)
    : {}
}

function showFindings(
  { output }: CommandLine,
  file: string,
  findings: readonly DefinitionFinding[],
) {
  for (const { id, severity, path, msg } of findings)
    output.talk(`${file}: ${severity} ${id} ${path}: ${msg}`)
}

interface Difference {
  readonly tag: string
  readonly file: string
  readonly status: 'new' | 'changed' | 'same'
  readonly changes: readonly DefinitionChange[]
}

/** `design diff`: lists what `apply` would change, by attribute instead of by line. */
export async function diffDesign(
  line: CommandLine,
  tags: readonly string[],
  flags: DesignFlags,
): Promise<void> {
  const files = await readFiles(line, tags, flags)
  const { api } = connect(line)
  const known = new Set((await storedTags(api, line.signal)).map(({ tag }) => tag))
  const differences: (Difference & { readonly missing: readonly string[] })[] = []
  const supplies = new Map<string, readonly string[]>()
  for (const file of files) {
    const difference = compareDesign(file, await loadStored(api, known, file.tag, line.signal))
    const body = readDesignBody(file.content)
    const missing = difference.status === 'same' ? null : await findMissing(api, body, line.signal)
    differences.push({ ...difference, missing: missing?.columns ?? [] })
    supplies.set(file.tag, formatMissing(missing))
  }
  if (line.output.json) line.output.rows(differences, () => ({ heads: [], cells: [] }))
  else
    for (const difference of differences)
      for (const text of [
        ...formatDifference(difference, line),
        ...(supplies.get(difference.tag) ?? []),
      ])
        line.output.data(text, () => [text])
  const differs = differences.some(({ status }) => status !== 'same')
  if (!differs) line.output.talk(t(line.locale, 'cli.design.same'))
  if (differs && flags.exitCode === true) throw new CommandError(exitCodes.checksFailed, '')
}

function compareDesign({ tag, file, content }: DesignFile, stored: SavedEntity | null): Difference {
  if (stored === null) return { tag, file, status: 'new', changes: [] }
  const { definition } = parseEntity(entityOfPortable(content))
  const changes = definitionChanges(
    portableEntity(withoutStoredKeys(stored)),
    definition === null ? (content as Plain) : portableEntity(definition),
  )
  return { tag, file, status: changes.length === 0 ? 'same' : 'changed', changes }
}

/** The stored definition; null if the server has none with this tag. */
async function loadStored(
  api: Api,
  known: ReadonlySet<string>,
  tag: string,
  signal: AbortSignal,
): Promise<SavedEntity | null> {
  return known.has(tag) ? await api.design.load({ params: { tag }, signal }) : null
}

function formatDifference({ tag, status, changes }: Difference, { locale }: CommandLine): string[] {
  return status === 'same'
    ? []
    : [
        `${tag}  ${t(locale, `cli.design.status.${status}`)}`,
        ...changes.flatMap(({ path, kind, before, after }) => [
          ...(kind === 'added' ? [] : [`  - ${path}: ${short(before)}`]),
          ...(kind === 'removed' ? [] : [`  + ${path}: ${short(after)}`]),
        ]),
      ]
}

function short(value: unknown): string {
  const text = JSON.stringify(value) ?? ''
  return cutText(text, 80, { mark: '…' })
}

interface Applied extends Omit<Difference, 'status'> {
  readonly status: Difference['status'] | 'refused'
  readonly findings: readonly DefinitionFinding[]
  readonly impact: readonly Impact[]
  readonly version: number | null
}

/**
 * `design apply`: checks each file that differs and saves it over the current version. Exit code 7
 * if one was refused.
 */
export async function applyDesign(
  line: CommandLine,
  tags: readonly string[],
  flags: DesignFlags,
): Promise<void> {
  const files = await readFiles(line, tags, flags)
  const { api } = connect(line)
  const known = new Set((await storedTags(api, line.signal)).map(({ tag }) => tag))
  const all: Applied[] = []
  const fresh = files.filter(({ tag }) => !known.has(tag))
  // New definitions may refer to each other: they are saved in one step, all or none.
  if (fresh.length > 1 && flags.dryRun !== true && flags.note === undefined) {
    for (const { content } of fresh)
      await supplyMissing(line, api, readDesignBody(content), flags.yes)
    const status = await adopt(line, api, fresh)
    all.push(...fresh.map((file) => buildAdopted(file, status)))
    line.output.rows(all, () => ({
      heads: [t(line.locale, 'cli.col.tag'), t(line.locale, 'cli.col.name')],
      cells: fresh.map(({ tag }) => [tag, t(line.locale, `cli.design.status.${status}`)]),
    }))
  }
  for (const file of files.filter((each) => !all.some(({ tag }) => tag === each.tag))) {
    const applied = await applyOne(line, api, known, file, flags)
    all.push(applied)
    if (line.output.json) line.output.rows([applied], () => ({ heads: [], cells: [] }))
    else {
      for (const text of formatDifference(
        { ...applied, status: applied.status === 'refused' ? 'changed' : applied.status },
        line,
      ))
        line.output.data(text, () => [text])
      showApplied(line, applied)
    }
  }
  const count = (status: Applied['status']) => all.filter((one) => one.status === status).length
  const summary = t(line.locale, 'cli.design.summary', {
    added: count('new'),
    changed: count('changed'),
    same: count('same'),
    refused: count('refused'),
  })
  line.output.talk(`${summary}${flags.dryRun === true ? t(line.locale, 'cli.design.wouldBe') : ''}`)
  if (count('refused') > 0) throw new CommandError(exitCodes.checksFailed, '')
}

/** Saves new definitions together; what is wrong with one of them keeps all of them out. */
async function adopt(
  line: CommandLine,
  api: Api,
  files: readonly DesignFile[],
): Promise<'new' | 'refused'> {
  try {
    await api.design.adopt({
      body: { definitions: files.map(({ content }) => readDesignBody(content)) },
      signal: line.signal,
    })
    return 'new'
  } catch (error) {
    const { issues } = toProblem(error)
    if (issues.length === 0) throw error
    for (const { path, msg } of issues) line.output.talk(`${path}: ${msg}`)
    return 'refused'
  }
}

function buildAdopted({ tag, file }: DesignFile, status: 'new' | 'refused'): Applied {
  const version = status === 'new' ? 1 : null
  return { tag, file, status, changes: [], findings: [], impact: [], version }
}

async function applyOne(
  line: CommandLine,
  api: Api,
  known: ReadonlySet<string>,
  file: DesignFile,
  flags: DesignFlags,
): Promise<Applied> {
  const stored = await loadStored(api, known, file.tag, line.signal)
  const difference = compareDesign(file, stored)
  const none = { findings: [], impact: [], version: stored?.version ?? null }
  if (difference.status === 'same') return { ...difference, ...none }
  const body = readDesignBody(file.content)
  if (flags.dryRun === true) {
    const missing = await findMissing(api, body, line.signal)
    for (const text of formatMissing(missing)) line.output.talk(text)
    // The checks would report the columns that are made before.
    if (missing !== null) return { ...difference, ...none }
  } else await supplyMissing(line, api, body, flags.yes)
  const { findings, impact } = await api.design.check({ body, signal: line.signal })
  if (findings.some(({ severity }) => severity === 'error'))
    return { ...difference, ...none, status: 'refused', findings, impact }
  if (impact.some(({ breaks }) => breaks) && flags.yes !== true)
    return { ...difference, ...none, status: 'refused', findings, impact }
  if (flags.dryRun === true) return { ...difference, ...none, findings, impact }
  await askToApply(line, difference, impact, flags)
  const more = flags.note === undefined ? {} : { note: flags.note }
  const saved =
    stored === null
      ? await api.design.create({ body: { ...body, ...more }, signal: line.signal })
      : await api.design.save({
          params: { tag: file.tag },
          body: { ...body, ...more, version: stored.version },
          signal: line.signal,
        })
  return { ...difference, findings, impact, version: saved.version }
}

/** On a terminal a person sees what changes before it does. @throws CommandError (interrupted) for a no */
async function askToApply(
  line: CommandLine,
  difference: Difference,
  impact: readonly Impact[],
  { yes }: DesignFlags,
): Promise<void> {
  if (!line.interactive || yes === true) return
  for (const text of formatDifference(difference, line)) line.output.talk(text)
  for (const { object, msg } of impact) line.output.talk(`· ${object}: ${msg}`)
  await confirmAct(line, t(line.locale, 'cli.design.ask', { tag: difference.tag }), false)
}

function showApplied(line: CommandLine, { file, status, findings, impact }: Applied) {
  showFindings(line, file, findings)
  for (const { object, breaks, msg } of impact)
    line.output.talk(`${file}: ${breaks ? '!' : '·'} ${object}: ${msg}`)
  if (status !== 'refused') return
  const hasErrors = findings.some(({ severity }) => severity === 'error')
  line.output.talk(
    `${file}: ${t(line.locale, hasErrors ? 'cli.design.unsaved' : 'cli.design.breaks')}`,
  )
}
