import type { DefinitionFinding } from '@jiaowu/api/entity/definition/stored'
import type { FieldDefinition } from '@jiaowu/api/entity/definition/definition'
import type { DesignerEdit } from '@jiaowu/machines/designer/types'
import type { DesignerView } from '@jiaowu/machines/designer/view'
import { type RefObject, useMemo } from 'react'
import { useApi } from '../../../app/api-context.ts'
import { useText } from '../../../app/text-context.ts'
import { configOfDraft } from '../preview/config-of.ts'
import { sampleRows } from '../preview/sample-rows.ts'
import { useSources } from '../use-sources.ts'
import { ButtonsEditor } from './buttons/buttons-editor.tsx'
import { entitySections } from './entity-sections.ts'
import { fieldSections } from './fields/field-sections.ts'
import { CascadesEditor, SortsEditor } from './list-editors.tsx'
import { RowControl } from './row-control.tsx'
import type { ConfigSection, ConfigTools, Editor } from './rows.ts'
import { SegmentsEditor } from './segments-editor.tsx'

interface Props {
  readonly view: DesignerView
  readonly send: (edit: DesignerEdit) => void
  readonly panel: RefObject<HTMLElement | null>
}
type Tools = ConfigTools & Pick<ReturnType<typeof useSources>, 'entities'>

/**
 * Right panel: configuration of the selected field, else of the entity
 * (docs/spec/2-student-service-and-designer.md §2).
 */
export function ConfigPanel({ view, send, panel }: Props) {
  const { t } = useText()
  const { can } = useApi()
  const { selected, draft } = view
  const added = draft.options.entry?.add?.field
  const sources = useSources(
    selected ?? draft.fields.find(({ attrName }) => attrName === added) ?? null,
  )
  const tools: Tools = { ...sources, t: t as ConfigTools['t'], maySql: can('entity:sql') }
  const sections =
    selected === null
      ? entitySections({ draft, isNew: view.isNew, tools })
      : fieldSections({
          field: selected,
          draft,
          columns: view.columns.map(({ column }) => column),
          tools,
        })
  return (
    <section
      className="jw-dpanel jw-dconfig"
      aria-label={t('designer.config')}
      ref={panel}
      tabIndex={-1}
      data-part-of-page
    >
      <header>
        <h3>{t(selected === null ? 'designer.entity' : 'designer.field')}</h3>
        <span className="jw-dpanel__count">
          {selected === null ? draft.name : selected.uiLabel}
        </span>
      </header>
      <div className="jw-dpanel__scroll jw-cfg" key={selected?.id ?? 'entity'}>
        {sections.map((section) => (
          <Section key={section.title} section={section} view={view} tools={tools} send={send} />
        ))}
      </div>
    </section>
  )
}

function Section({
  section,
  view,
  tools,
  send,
}: {
  readonly section: ConfigSection
  readonly view: DesignerView
  readonly tools: Tools
  readonly send: Props['send']
}) {
  const { t } = useText()
  const listPath =
    section.editor === 'cascades'
      ? 'options.cascades'
      : section.editor === 'sorts'
        ? 'options.sorts'
        : section.editor === 'segments'
          ? 'options.serialNumConfig'
          : null
  const faults =
    listPath === null
      ? []
      : findingsAt(view, section.editor === 'cascades' ? view.selected : null, listPath)
  return (
    <section className="jw-cfg__section">
      <h4>{t(section.title as 'designer.section.basic')}</h4>
      {section.rows.map((row) => (
        <RowControl
          key={row.path}
          row={row}
          path={row.path}
          findings={findingsAt(view, view.selected, row.path)}
          send={send}
        />
      ))}
      {section.editor === undefined ? null : (
        <SectionEditor editor={section.editor} view={view} tools={tools} send={send} />
      )}
      {faults.length === 0 ? null : (
        <div
          className={
            faults.some(({ severity }) => severity === 'error')
              ? 'jw-cfg__fault'
              : 'jw-cfg__warning'
          }
        >
          {faults.map((finding) => (
            <div key={finding.id}>{finding.msg}</div>
          ))}
        </div>
      )}
    </section>
  )
}

/**
 * Findings at a path of the entity, or of a field, whose path has its name or, for fields without a
 * name, its index.
 */
function findingsAt(
  { findings, draft }: Pick<DesignerView, 'findings' | 'draft'>,
  field: FieldDefinition | null,
  path: string,
): readonly DefinitionFinding[] {
  const full =
    field === null
      ? [path]
      : [`fields.${field.attrName}.${path}`, `fields.${draft.fields.indexOf(field)}.${path}`]
  return findings.filter((finding) => full.includes(finding.path))
}

function SectionEditor({
  editor,
  view,
  tools,
  send,
}: {
  readonly editor: Editor
  readonly view: DesignerView
  readonly tools: Tools
  readonly send: Props['send']
}) {
  const { locale } = useText()
  const { draft, selected, findings } = view
  const samples = useMemo(() => sampleRows(configOfDraft(draft, locale), 3), [draft, locale])
  switch (editor) {
    case 'cascades':
      return selected === null ? null : (
        <CascadesEditor draft={draft} field={selected} attributes={tools.attributes} send={send} />
      )
    case 'sorts':
      return <SortsEditor draft={draft} send={send} />
    case 'segments':
      return <SegmentsEditor segments={draft.options.serialNumConfig} send={send} />
    case 'buttons':
      return (
        <ButtonsEditor
          draft={draft}
          entities={tools.entities}
          samples={samples}
          findings={findings}
          send={send}
        />
      )
  }
}
