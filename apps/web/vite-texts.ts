import { basename } from 'node:path'
import { texts } from '@jiaowu/api/texts/index'
import type { Plugin, Rolldown } from 'vite'

/** The first words of keys whose texts every page loads; those of the others belong to the console. */
const startAreas =
  'account app attachment common format inbox notices order paper pdf problem session shell signIn sso student studentFlow studentPage time verify'.split(
    ' ',
  )
/** Texts of the console that are needed in both languages: proposed labels of new fields. */
const bothLanguages = ['design']
/** Texts that only the terminal shows. */
const terminalAreas = ['cli']
/** Pages that are loaded without the texts of the console. */
const startPages = ['sign-in-page', 'student-home', 'verify-page']
/** Modules whose chunks, with all that these import, need the texts of the part `console`; the others are `more`. */
const consolePages =
  /\/web\/src\/(?:inside|features\/(?:entity-list\/entity-list-page|entity-form\/form-overlay)|fields\/dates\/(?:calendar|date-range))\.tsx$/
/** Where the texts of a part are put once it is known which chunk needs them. */
const place = /["'`]@texts (\w\w)[\w-]* (console|more)@["'`]/

/**
 * Splits the texts in the build by language and by part: a page loads those of its user's language
 * (src/texts/load-texts.ts). Refuses a build in which a page uses a text that it does not load.
 */
export function textsByLanguage(): Plugin {
  let consoleKeys: ReadonlySet<string> | undefined
  return {
    name: 'texts-by-language',
    apply: 'build',
    load: (id) => {
      if (id.endsWith('/packages/api/src/texts/all.ts')) return 'export const allTexts = {}'
      const [, language = '', part] =
        /\/web\/src\/texts\/(zh-cn|en)-(start|console|more)\.ts$/.exec(id) ?? []
      if (part === undefined) return null
      const sentences =
        part === 'start'
          ? formatSentences(language, (key) => findTextPart(key) === 'start')
          : `@texts ${language} ${part}@`
      return `export const sentences = JSON.parse(${JSON.stringify(sentences)})`
    },
    renderChunk(code, _chunk, _options, { chunks }) {
      const [placeholder, language, part] = place.exec(code) ?? []
      if (placeholder === undefined || language === undefined) return null
      const needed = (consoleKeys ??= keysNeeded(
        chunks,
        (id) => this.getModuleInfo(id)?.code ?? '',
      ))
      const sentences = formatSentences(
        language,
        (key) => findTextPart(key) === 'console' && needed.has(key) === (part === 'console'),
      )
      return { code: code.replace(place, () => JSON.stringify(sentences)), map: null }
    },
    generateBundle(_options, bundle) {
      const moreKeys = new Set(
        Object.keys(texts).filter(
          (key) => findTextPart(key) === 'console' && consoleKeys?.has(key) !== true,
        ),
      )
      const faults = Object.values(bundle).flatMap((chunk) =>
        chunk.type === 'chunk' && !/^(?:zh-cn|en)-/.test(chunk.name)
          ? [
              ...strayKeys(chunk, bundle),
              ...partsWithoutTexts(chunk, bundle, moreKeys, (id) => this.getModuleInfo(id)),
            ]
          : [],
      )
      if (faults.length > 0) throw new Error(`texts that are not loaded: ${faults.join(', ')}`)
    },
  }
}

function formatSentences(language: string, isWanted: (key: string) => boolean): string {
  return JSON.stringify(
    Object.fromEntries(
      Object.entries(texts)
        .filter(([key]) => isWanted(key))
        .map(([key, both]) => [
          key,
          bothLanguages.includes(readArea(key)) ? both : both[language === 'en' ? 1 : 0],
        ]),
    ),
  )
}

/** The keys in the modules of the chunks that the first pages of the console are made of. */
function keysNeeded(
  chunks: Readonly<Record<string, Rolldown.RenderedChunk>>,
  codeOf: (id: string) => string,
): Set<string> {
  const found = new Set<string>()
  const follow = (file: string) => {
    const chunk = chunks[file]
    if (chunk === undefined || found.has(file)) return
    found.add(file)
    chunk.imports.forEach(follow)
  }
  for (const [file, { moduleIds }] of Object.entries(chunks))
    if (moduleIds.some((id) => consolePages.test(id))) follow(file)
  const codes = [...found].flatMap((file) => (chunks[file]?.moduleIds ?? []).map(codeOf))
  return new Set(textsIn(codes.join('\n')))
}

/** Whether a page that uses texts of the part `more` is loaded without them, that is, not by `lazyPart`. */
function partsWithoutTexts(
  chunk: Rolldown.OutputChunk,
  bundle: Rolldown.OutputBundle,
  moreKeys: ReadonlySet<string>,
  infoOf: (id: string) => Rolldown.ModuleInfo | null,
): string[] {
  const entry = chunk.facadeModuleId
  if (!chunk.isDynamicEntry || entry === null) return []
  const used = [...collectImports(chunk.name, bundle, false)].flatMap((file) => {
    const found = bundle[file]
    return found?.type === 'chunk' ? textsIn(found.code).filter((key) => moreKeys.has(key)) : []
  })
  if (used.length === 0) return []
  const file = basename(entry)
  return (infoOf(entry)?.dynamicImporters ?? [])
    .filter((importer) => {
      const code = (infoOf(importer)?.code ?? '').replaceAll(/\s+/g, '')
      return (
        code.split(`${file}"`).length !==
        code.split(new RegExp(`lazyPart\\(\\(\\)=>import\\("[^"]*${file}"`)).length
      )
    })
    .map((importer) => `${basename(importer)} loads ${file} without lazyPart: ${used.join(' ')}`)
}

function keysIn(code: string): string[] {
  return [...code.matchAll(/["'`]([a-z]\w*(?:\.[\w-]+)+)["'`]/g)].map(([, key]) => key ?? '')
}

/** The beginnings of keys that are made while the page runs: `filter.op.${operator}`. */
function beginningsIn(code: string): string[] {
  return [...code.matchAll(/`([a-z]\w*\.[\w.-]*)\$\{/g)].map(([, beginning]) => beginning ?? '')
}

/** The keys of texts that code names in full or by their beginning. */
function textsIn(code: string): string[] {
  const keys = new Set(keysIn(code))
  const beginnings = beginningsIn(code)
  return Object.keys(texts).filter(
    (key) => keys.has(key) || beginnings.some((beginning) => key.startsWith(beginning)),
  )
}

function findTextPart(key: string): 'start' | 'console' | 'terminal' {
  const area = readArea(key)
  return startAreas.includes(area) ? 'start' : terminalAreas.includes(area) ? 'terminal' : 'console'
}

const knownAreas = new Set(Object.keys(texts).map(readArea))

function readArea(key: string): string {
  return key.split('.')[0] ?? ''
}

/** The keys in the code of a chunk that it may use before their texts are there. */
function strayKeys(chunk: Rolldown.OutputChunk, bundle: Rolldown.OutputBundle): string[] {
  const isStart = startPages.some((name) => collectImports(name, bundle).has(chunk.fileName))
  return [
    ...keysIn(chunk.code).filter((key) => Object.hasOwn(texts, key)),
    ...beginningsIn(chunk.code).filter((beginning) => knownAreas.has(readArea(beginning))),
  ]
    .filter((key) => findTextPart(key) !== 'start' && (isStart || findTextPart(key) === 'terminal'))
    .map((key) => `${chunk.name}: ${key}`)
}

/**
 * The files that are loaded with a page and, where `andLater`, by it. The start itself goes on to the console.
 */
function collectImports(name: string, bundle: Rolldown.OutputBundle, andLater = true): Set<string> {
  const found = new Set<string>()
  const follow = (file: string) => {
    const chunk = bundle[file]
    if (found.has(file) || chunk?.type !== 'chunk') return
    found.add(file)
    chunk.imports.forEach(follow)
    if (andLater && chunk.name !== 'start') chunk.dynamicImports.forEach(follow)
  }
  for (const [file, chunk] of Object.entries(bundle))
    if (chunk.type === 'chunk' && chunk.name === name) follow(file)
  return found
}
