import { Button } from '@blueprintjs/core'
import { Add } from '@blueprintjs/icons'
import type { FlowDocument } from '@jiaowu/api/entity/definition/flow'
import { useText } from '../../../app/text-context.ts'
import { ChoiceSelect } from '../config/choice-select.tsx'
import { TypedInput } from '../config/typed-input.tsx'
import type { EditorProps } from './flow-rows.tsx'
import { RemoveButton } from './remove-button.tsx'

const codePattern = /^[A-Za-z][A-Za-z0-9_]{0,39}$/

/** Documents that effects issue: title, whom they are about, and their paragraphs, one a line. */
export function DocumentsEditor({ flow, sources, change }: EditorProps) {
  const { t } = useText()
  const documents = Object.entries(flow.documents ?? {})
  const put = (next: readonly (readonly [string, FlowDocument])[]) =>
    change({
      type: 'set',
      patch: { documents: next.length === 0 ? undefined : Object.fromEntries(next) },
    })
  return (
    <fieldset className="jw-flow-editor__set">
      <legend>{t('designer.flow.documents')}</legend>
      {documents.map(([code, document], at) => (
        <DocumentEditor
          key={code}
          code={code}
          document={document}
          students={sources.students}
          onCode={(to) => {
            if (codePattern.test(to) && !documents.some(([each]) => each === to))
              put(documents.with(at, [to, document]))
          }}
          onChange={(next) => put(documents.with(at, [code, next]))}
          onRemove={() => put(documents.filter((_each, i) => i !== at))}
        />
      ))}
      <Button
        size="small"
        icon={<Add />}
        text={t('designer.flow.document.add')}
        onClick={() =>
          put([
            ...documents,
            [
              findFreeCode(documents),
              {
                title: { zh: '通知书', en: 'Notice' },
                language: 'zh',
                paragraphs: [t('designer.flow.document.firstLine')],
              },
            ],
          ])
        }
      />
    </fieldset>
  )
}

function findFreeCode(documents: readonly (readonly [string, FlowDocument])[]): string {
  for (let n = documents.length + 1; ; n += 1)
    if (!documents.some(([code]) => code === `DOCUMENT${String(n)}`)) return `DOCUMENT${String(n)}`
}

function DocumentEditor({
  code,
  document,
  students,
  onCode,
  onChange,
  onRemove,
}: {
  readonly code: string
  readonly document: FlowDocument
  readonly students: EditorProps['sources']['students']
  readonly onCode: (code: string) => void
  readonly onChange: (document: FlowDocument) => void
  readonly onRemove: () => void
}) {
  const { t } = useText()
  const { title, language, person, paragraphs } = document
  const label = (part: 'code' | 'titleZh' | 'titleEn' | 'language' | 'person' | 'paragraphs') =>
    `${code}: ${t(`designer.flow.document.${part}`)}`
  const setPerson = (value: string) => {
    const { person: _old, ...rest } = document
    onChange(value === '' ? rest : { ...rest, person: value })
  }
  return (
    <div className="jw-flow-editor__effect" role="group" aria-label={code}>
      <div className="jw-flow-editor__term">
        <TypedInput
          mono
          label={label('code')}
          value={code}
          onCommit={(text) => onCode(text.trim())}
        />
        <RemoveButton label={code} onRemove={onRemove} />
      </div>
      <Titles
        title={title}
        label={label}
        onChange={(next) => onChange({ ...document, title: next })}
      />
      <ChoiceSelect
        label={label('language')}
        value={language}
        items={(['zh', 'en'] as const).map((value) => ({
          value,
          text: t(`designer.flow.document.${value}`),
        }))}
        onPick={(next) => onChange({ ...document, language: next === 'en' ? 'en' : 'zh' })}
      />
      <ChoiceSelect
        label={label('person')}
        value={person ?? ''}
        items={[
          { value: '', text: t('designer.flow.document.noPerson') },
          ...students.map(({ value, text }) => ({ value: `row.${value}`, text })),
        ]}
        onPick={setPerson}
      />
      <TypedInput
        lines={4}
        label={label('paragraphs')}
        value={paragraphs.join('\n')}
        onCommit={(text) => {
          const lines = text
            .split('\n')
            .map((line) => line.trim())
            .filter((line) => line !== '')
          if (lines.length > 0) onChange({ ...document, paragraphs: lines })
        }}
      />
    </div>
  )
}

function Titles({
  title,
  label,
  onChange,
}: {
  readonly title: FlowDocument['title']
  readonly label: (part: 'titleZh' | 'titleEn') => string
  readonly onChange: (title: FlowDocument['title']) => void
}) {
  return (['zh', 'en'] as const).map((language) => (
    <TypedInput
      key={language}
      label={label(language === 'zh' ? 'titleZh' : 'titleEn')}
      value={title[language]}
      onCommit={(text) => {
        if (text.trim() !== '') onChange({ ...title, [language]: text.trim() })
      }}
    />
  ))
}
