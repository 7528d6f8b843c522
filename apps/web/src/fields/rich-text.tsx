import { Button, ButtonGroup } from '@blueprintjs/core'
import {
  Bold,
  Citation,
  HeaderTwo,
  Italic,
  NumberedList,
  Properties,
  Redo,
  Strikethrough,
  Underline,
  Undo,
} from '@blueprintjs/icons'
import type { TextKey } from '@jiaowu/api/texts/index'
import { type Editor, EditorContent, useEditor } from '@tiptap/react'
import StarterKit from '@tiptap/starter-kit'
import DOMPurify from 'dompurify'
import { useEffect, type ReactElement } from 'react'
import { useText } from '../app/text-context.ts'
import type { ControlProps } from './field-types.ts'
import { installTrustedTypes } from '../app/trusted-html.ts'

const blank = '<p></p>'
installTrustedTypes()

/** Editor of the field kind `richTextEditor`; loaded only by forms that have one. */
export function RichText({
  id,
  value,
  disabled,
  field,
  describedBy,
  onChange,
  onBlur,
}: ControlProps) {
  const html = typeof value === 'string' ? value : ''
  const editor = useEditor({
    // The content security policy forbids injected styles: the editor's rules are in fields.css.
    injectCSS: false,
    extensions: [StarterKit],
    content: DOMPurify.sanitize(html),
    editable: !disabled,
    immediatelyRender: true,
    editorProps: {
      attributes: {
        id,
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-label': field.uiLabel,
        ...(describedBy === undefined ? {} : { 'aria-describedby': describedBy }),
      },
    },
    onUpdate: ({ editor: now }) => onChange(now.getHTML() === blank ? null : now.getHTML()),
    onBlur,
  })
  useEffect(() => {
    if (
      !editor.isDestroyed &&
      editor.getHTML() !== html &&
      !(html === '' && editor.getHTML() === blank)
    )
      editor.commands.setContent(DOMPurify.sanitize(html), { emitUpdate: false })
  }, [editor, html])
  useEffect(() => {
    if (!editor.isDestroyed) editor.setEditable(!disabled, false)
  }, [editor, disabled])
  return (
    <div className="jw-rich">
      {disabled ? null : <Tools editor={editor} />}
      <EditorContent editor={editor} className="jw-rich__text" />
    </div>
  )
}

interface Tool {
  readonly icon: ReactElement
  readonly label: TextKey
  /** Mark or node that shows the button as active; null: never. */
  readonly marks: string | null
  readonly run: (chain: ReturnType<Editor['chain']>) => ReturnType<Editor['chain']>
}

const tools = [
  { icon: <Bold />, label: 'rich.bold', marks: 'bold', run: (chain) => chain.toggleBold() },
  { icon: <Italic />, label: 'rich.italic', marks: 'italic', run: (chain) => chain.toggleItalic() },
  {
    icon: <Underline />,
    label: 'rich.underline',
    marks: 'underline',
    run: (chain) => chain.toggleUnderline(),
  },
  {
    icon: <Strikethrough />,
    label: 'rich.strike',
    marks: 'strike',
    run: (chain) => chain.toggleStrike(),
  },
  {
    icon: <HeaderTwo />,
    label: 'rich.heading',
    marks: 'heading',
    run: (chain) => chain.toggleHeading({ level: 3 }),
  },
  {
    icon: <Properties />,
    label: 'rich.bullets',
    marks: 'bulletList',
    run: (chain) => chain.toggleBulletList(),
  },
  {
    icon: <NumberedList />,
    label: 'rich.numbers',
    marks: 'orderedList',
    run: (chain) => chain.toggleOrderedList(),
  },
  {
    icon: <Citation />,
    label: 'rich.quote',
    marks: 'blockquote',
    run: (chain) => chain.toggleBlockquote(),
  },
  { icon: <Undo />, label: 'rich.undo', marks: null, run: (chain) => chain.undo() },
  { icon: <Redo />, label: 'rich.redo', marks: null, run: (chain) => chain.redo() },
] as const satisfies readonly Tool[]

function Tools({ editor }: { readonly editor: Editor }) {
  const { t } = useText()
  return (
    <ButtonGroup className="jw-rich__bar">
      {tools.map(({ icon, label, marks, run }) => (
        <Button
          key={label}
          variant="minimal"
          size="small"
          icon={icon}
          active={marks !== null && editor.isActive(marks)}
          aria-label={t(label)}
          title={t(label)}
          onClick={() => run(editor.chain().focus()).run()}
        />
      ))}
    </ButtonGroup>
  )
}
