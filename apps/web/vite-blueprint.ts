import { join } from 'node:path'
import postcss, { type ChildNode, type Container } from 'postcss'
import type { Plugin } from 'vite'

const iconLoader = join(import.meta.dirname, 'src/ui/blueprint/icon-loader.ts')
const text = join(import.meta.dirname, 'src/ui/blueprint/text.tsx')

/**
 * Components that only the console uses: their rules are in `blueprint.css?part=console`, all others in
 * `blueprint.css?part=start`, which every page loads.
 */
const consoleOnly =
  /\.bp6-(?:breadcrumb|button-group|callout|checkbox|context-menu|control|divider|drawer|editable-text|hotkey|html-select|input-ghost|key|menu|numeric-input|popover|progress|radio|segmented-control|select|submenu|switch|tag|tooltip)(?![a-z])/
/** Components that the product does not use. */
const unused =
  /\.bp6-(?:card|code|code-block|compound-tag|control-card|dialog-step|editable-text|entity-title|file-input|file-upload|html-table|link|multistep-dialog|navbar|omnibar|overflow-list|panel-stack|panel-stack2|running-text|section|skeleton|slider|tag-input|tooltip|tree|tree-node)(?![a-z])|\.bp6-select(?![a-z-])/
/** Glyphs of the icon font, which the product does not load: its icons are drawings. */
const fontGlyph = /^\.bp6-icon-[a-z0-9-]+::?before$/

/**
 * Loads Blueprint by parts: the styles of the console with the console, no icons by name, which would bring the
 * names and drawings of all 600 along, and texts that do not measure themselves while they are rendered.
 */
export function blueprintParts(): Plugin {
  return {
    name: 'blueprint-parts',
    enforce: 'pre',
    resolveId: (source, importer) => {
      if (importer?.includes('@blueprintjs/') !== true) return null
      if (/(?:^|\/)iconLoader(?:\.js)?$/.test(source)) return iconLoader
      return /\/text\/text(?:\.js)?$/.test(source) ? text : null
    },
    transform: (code, id) => {
      const part = /\/blueprint\.css\?part=(start|console)$/.exec(id)?.[1]
      return part === undefined ? null : { code: extractCssPart(code, part), map: null }
    },
  }
}

function extractCssPart(css: string, part: string): string {
  const root = postcss.parse(css)
  keepRules(
    root,
    (selector) =>
      !fontGlyph.test(selector) &&
      !unused.test(selector) &&
      consoleOnly.test(positive(selector)) === (part === 'console'),
  )
  // Keyframes, fonts and properties of the document.
  if (part === 'console')
    root.each((node) => void (isRuleOrBlock(node) ? undefined : node.remove()))
  return root.toString()
}

function keepRules(container: Container, wanted: (selector: string) => boolean): void {
  container.each((node) => {
    if (node.type === 'rule') {
      const selectors = node.selectors.filter(wanted)
      if (selectors.length === 0) node.remove()
      else node.selectors = selectors
    } else if (node.type === 'atrule' && isRuleOrBlock(node)) {
      keepRules(node as Container, wanted)
      if ((node as Container).nodes?.length === 0) node.remove()
    }
  })
}

function isRuleOrBlock(node: ChildNode): boolean {
  return (
    node.type === 'rule' ||
    (node.type === 'atrule' && ['media', 'supports', 'layer'].includes(node.name))
  )
}

/** A selector without what elements must not be, which names other components. */
function positive(selector: string): string {
  return selector.replaceAll(/:not\([^()]*\)/g, '')
}
