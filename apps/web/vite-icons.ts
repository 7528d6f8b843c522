import { join } from 'node:path'
import type { Plugin } from 'vite'

const drawingModule = join(import.meta.dirname, 'src/ui/blueprint/icon-drawing.tsx')
const component = /@blueprintjs\/icons\/lib\/esm\/generated\/components\/([a-z0-9-]+)\.js$/
/** Icons that pages show at 20 pixels or more. Others of this size are enlarged drawings for 16. */
const large = new Set(
  'cross document error help inbox key pause small-cross tick tick-circle upload warning-sign'.split(
    ' ',
  ),
)

/** Builds icons without the drawings for 20 pixels, half of their code, where no page shows them. */
export function iconDrawings(): Plugin {
  return {
    name: 'icon-drawings',
    apply: 'build',
    transform: (code, id) => {
      const name = component.exec(id)?.[1]
      if (name === undefined || name === 'index') return null
      const paths = (grid: 16 | 20) =>
        matchIconCode(new RegExp(`PATHS_${grid} = (\\[.*\\]);`), code, name)
      const exported = matchIconCode(/export const (\w+Icon) = React\.forwardRef/, code, name)
      const alias = matchIconCode(new RegExp(`export const (\\w+) = ${exported};`), code, name)
      const drawings = [paths(16), ...(large.has(name) ? [paths(20)] : [])]
      return {
        code: [
          `import { drawing } from ${JSON.stringify(drawingModule)}`,
          `export const ${exported} = /* @__PURE__ */ drawing("${name}", ${drawings.join(', ')})`,
          `export { ${exported} as ${alias}, ${exported} as default }`,
        ].join('\n'),
        map: null,
        moduleSideEffects: false,
      }
    },
  }
}

/** @throws Error where a new version of Blueprint writes its icons in another way */
function matchIconCode(pattern: RegExp, code: string, name: string): string {
  const match = pattern.exec(code)?.[1]
  if (match === undefined) throw new Error(`the icon ${name} is not written as expected`)
  return match
}
