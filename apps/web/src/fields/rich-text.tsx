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
import { EditorContent, useEditor } from '@tiptap/react'
import StarterKit from '@tiptap/starter-kit'
import DOMPurify from 'dompurify'
import { useEffect, type ReactElement } from 'react'
import { useApp } from '../shell/context/app-context.tsx'
import type { ControlProps } from './field-types.ts'
import { installTrustedTypes } from './trusted-html.ts'

const blank = '<p></p>'
installTrustedTypes()

/** The editor behind richTextEditor; loaded only where a form has one. */
export function RichText({
  id,
  value,
  disabled,
  field,
  describedBy,
  onChange,
  onBlur,
}: ControlProps) {
  const { t } = useApp()
  const html = typeof value === 'string' ? value : ''
  const editor = useEditor({
    // The page's policy allows no style element: the editor's few rules are in fields.css.
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
  const tool = (icon: ReactElement, label: string, active: boolean, act: () => void) => (
    <Button
      variant="minimal"
      size="small"
      icon={icon}
      active={active}
      aria-label={label}
      title={label}
      disabled={disabled}
      onClick={act}
    />
  )
  const chain = () => editor.chain().focus()
  return (
    <div className="jw-rich">
      {disabled ? null : (
        <ButtonGroup className="jw-rich__bar">
          {tool(<Bold />, t('rich.bold'), editor.isActive('bold'), () =>
            chain().toggleBold().run(),
          )}
          {tool(<Italic />, t('rich.italic'), editor.isActive('italic'), () =>
            chain().toggleItalic().run(),
          )}
          {tool(<Underline />, t('rich.underline'), editor.isActive('underline'), () =>
            chain().toggleUnderline().run(),
          )}
          {tool(<Strikethrough />, t('rich.strike'), editor.isActive('strike'), () =>
            chain().toggleStrike().run(),
          )}
          {tool(<HeaderTwo />, t('rich.heading'), editor.isActive('heading'), () =>
            chain().toggleHeading({ level: 3 }).run(),
          )}
          {tool(<Properties />, t('rich.bullets'), editor.isActive('bulletList'), () =>
            chain().toggleBulletList().run(),
          )}
          {tool(<NumberedList />, t('rich.numbers'), editor.isActive('orderedList'), () =>
            chain().toggleOrderedList().run(),
          )}
          {tool(<Citation />, t('rich.quote'), editor.isActive('blockquote'), () =>
            chain().toggleBlockquote().run(),
          )}
          {tool(<Undo />, t('rich.undo'), false, () => chain().undo().run())}
          {tool(<Redo />, t('rich.redo'), false, () => chain().redo().run())}
        </ButtonGroup>
      )}
      <EditorContent editor={editor} className="jw-rich__text" />
    </div>
  )
}
