import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { json, jsonParseLinter } from '@codemirror/lang-json'
import {
  bracketMatching,
  defaultHighlightStyle,
  foldGutter,
  HighlightStyle,
  indentUnit,
  syntaxHighlighting,
} from '@codemirror/language'
import { linter, lintGutter } from '@codemirror/lint'
import { EditorState } from '@codemirror/state'
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  keymap,
  lineNumbers,
} from '@codemirror/view'
import { jsonIndent } from '@jiaowu/machines/designer/edit'
import { useEffect, useRef } from 'react'

interface Props {
  readonly text: string
  readonly label: string
  readonly onChange: (text: string) => void
}

// Font size: docs/spec/2-student-service-and-designer.md §9.
const theme = EditorView.theme({
  '&': {
    height: '100%',
    fontSize: '14px',
    backgroundColor: 'var(--surface)',
    color: 'var(--text)',
  },
  '.cm-scroller': {
    fontFamily: 'ui-monospace, "SF Mono", "Cascadia Mono", "Noto Sans Mono", monospace',
    lineHeight: '1.55',
  },
  '.cm-content': { caretColor: 'var(--accent)' },
  '.cm-gutters': {
    backgroundColor: 'var(--surface-2)',
    color: 'var(--text-3)',
    border: 'none',
    borderRight: '1px solid var(--line)',
  },
  '.cm-activeLine': { backgroundColor: 'color-mix(in oklab, var(--accent) 6%, transparent)' },
  '.cm-tooltip': {
    backgroundColor: 'var(--surface)',
    color: 'var(--text)',
    border: '1px solid var(--line-strong)',
  },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground':
    { backgroundColor: 'color-mix(in oklab, var(--accent) 25%, transparent) !important' },
})

// CodeMirror's default colours mixed with the text colour, to be readable in both themes.
const colours = HighlightStyle.define(
  defaultHighlightStyle.specs.map((spec) =>
    typeof spec['color'] === 'string'
      ? { ...spec, color: `color-mix(in oklab, ${spec['color']} 52%, var(--text))` }
      : spec,
  ),
)

/** JSON editor with highlighting, folding and syntax errors at their place. */
export function JsonEditor({ text, label, onChange }: Props) {
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView | null>(null)
  const latest = useRef({ text, onChange })
  latest.current = { text, onChange }
  useEffect(() => {
    if (host.current === null) return undefined
    // In a shadow root CodeMirror adopts style sheets, which the content security policy allows; in
    // the document it would inject a <style>.
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' })
    const editor = new EditorView({
      parent: root,
      root,
      state: EditorState.create({
        doc: latest.current.text,
        extensions: [
          lineNumbers(),
          foldGutter(),
          history(),
          drawSelection(),
          bracketMatching(),
          highlightActiveLine(),
          indentUnit.of(' '.repeat(jsonIndent)),
          json(),
          linter(jsonParseLinter()),
          lintGutter(),
          syntaxHighlighting(colours),
          keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab]),
          theme,
          EditorView.contentAttributes.of({ 'aria-label': label }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) latest.current.onChange(update.state.doc.toString())
          }),
        ],
      }),
    })
    view.current = editor
    editor.focus()
    return () => {
      editor.destroy()
      view.current = null
    }
  }, [label])
  // Apply changes from outside, such as formatting; typed text is in the editor already.
  useEffect(() => {
    const now = view.current
    if (now !== null && now.state.doc.toString() !== text)
      now.dispatch({ changes: { from: 0, to: now.state.doc.length, insert: text } })
  }, [text])
  return <div ref={host} className="jw-json__editor" />
}
