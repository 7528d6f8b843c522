import { texts } from '@jiaowu/api/texts'
import type { Plugin, Rolldown } from 'vite'

/** The first words of keys whose texts every page loads; those of the others belong to the console. */
const startAreas =
  'account app attachment common format order paper pdf problem session shell signIn student studentFlow studentPage time verify'.split(
    ' ',
  )
/** Texts of the console that are needed in both languages: proposed labels of new fields. */
const bothLanguages = ['design']
/** Texts that only the terminal shows. */
const terminalAreas = ['cli']
/** Pages that are loaded without the texts of the console. */
const startPages = ['sign-in-page', 'student-home', 'verify-page']

/**
 * Splits the texts in the build by language and by part: a page loads those of its user's language
 * (src/texts/load-texts.ts). Refuses a build in which a page uses a text that it does not load.
 */
export function textsByLanguage(): Plugin {
  return {
    name: 'texts-by-language',
    apply: 'build',
    load: (id) => {
      if (id.endsWith('/packages/api/src/texts/all.ts')) return 'export const allTexts = {}'
      const [, language, part] = /\/web\/src\/texts\/(zh-cn|en)-(start|console)\.ts$/.exec(id) ?? []
      if (language === undefined) return null
      const sentences = Object.entries(texts)
        .filter(([key]) => partOf(key) === part)
        .map(([key, both]) => [
          key,
          bothLanguages.includes(areaOf(key)) ? both : both[language === 'en' ? 1 : 0],
        ])
      return `export const sentences = JSON.parse(${JSON.stringify(JSON.stringify(Object.fromEntries(sentences)))})`
    },
    generateBundle: (_options, bundle) => {
      const faults = Object.values(bundle).flatMap((chunk) =>
        chunk.type === 'chunk' && !/^(?:zh-cn|en)-/.test(chunk.name)
          ? strayKeys(chunk, bundle)
          : [],
      )
      if (faults.length > 0) throw new Error(`texts that are not loaded: ${faults.join(', ')}`)
    },
  }
}

function partOf(key: string): 'start' | 'console' | 'terminal' {
  const area = areaOf(key)
  return startAreas.includes(area) ? 'start' : terminalAreas.includes(area) ? 'terminal' : 'console'
}

const knownAreas = new Set(Object.keys(texts).map(areaOf))

function areaOf(key: string): string {
  return key.split('.')[0] ?? ''
}

/** The keys in the code of a chunk that it may use before their texts are there. */
function strayKeys(chunk: Rolldown.OutputChunk, bundle: Rolldown.OutputBundle): string[] {
  const isStart = startPages.some((name) => importsOf(name, bundle).has(chunk.fileName))
  const keys = [...chunk.code.matchAll(/["'`]([a-z]\w*(?:\.[\w-]+)+)["'`]/g)].map(
    ([, key]) => key ?? '',
  )
  // Keys that are made while the page runs: `paper.${kind}`.
  const areas = [...chunk.code.matchAll(/`([a-z]\w*)\.\$\{/g)].map(([, area]) => area ?? '')
  return [
    ...keys.filter((key) => Object.hasOwn(texts, key)),
    ...areas.filter((area) => knownAreas.has(area)),
  ]
    .filter((key) => partOf(key) !== 'start' && (isStart || partOf(key) === 'terminal'))
    .map((key) => `${chunk.name}: ${key}`)
}

/** The files that are loaded with a page or by it. The start itself goes on to the console. */
function importsOf(name: string, bundle: Rolldown.OutputBundle): Set<string> {
  const found = new Set<string>()
  const follow = (file: string) => {
    const chunk = bundle[file]
    if (found.has(file) || chunk?.type !== 'chunk') return
    found.add(file)
    chunk.imports.forEach(follow)
    if (chunk.name !== 'start') chunk.dynamicImports.forEach(follow)
  }
  for (const [file, chunk] of Object.entries(bundle))
    if (chunk.type === 'chunk' && chunk.name === name) follow(file)
  return found
}
