import {
  Button,
  Checkbox,
  Dialog,
  DialogBody,
  DialogFooter,
  InputGroup,
  ProgressBar,
  Tag,
} from '@blueprintjs/core'
import { type EntityDefinition, problemOf, problemText, type TableDrafts } from '@jiaowu/api'
import { withoutRelation } from '@jiaowu/validation'
import { useState } from 'react'
import { useApp } from '../../../shell/context/app-context.tsx'
import { Failed } from '../../../ui/page-state.tsx'
import { useLoad } from './use-load.ts'

type Draft = TableDrafts['drafts'][number]

interface RowProps {
  readonly draft: Draft
  readonly isChosen: boolean
  readonly name: string
  readonly onChoose: (isChosen: boolean) => void
  readonly onName: (name: string) => void
}

/**
 * Dialog that drafts definitions of all tables without an entity, with their keys, links and notes,
 * and saves those that stay ticked in one step.
 */
export function AdoptDatabase({ onClose }: { readonly onClose: (isSaved: boolean) => void }) {
  const { api, t, locale } = useApp()
  const { data, problem, reload } = useLoad('drafts', (signal) =>
    api.design.draftAll({ body: {}, signal }),
  )
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const [names, setNames] = useState<Readonly<Record<string, string>>>({})
  const drafts = data?.drafts ?? []
  const chosen = drafts.filter(({ definition }) => !left.has(definition.tag))
  const choose = (tags: readonly string[], isChosen: boolean) =>
    setLeft(
      (old) =>
        new Set(isChosen ? [...old].filter((tag) => !tags.includes(tag)) : [...old, ...tags]),
    )
  const { isSaving, faults, save } = useSave(() => onClose(true))
  return (
    <Dialog isOpen onClose={() => onClose(false)} title={t('designs.adopt')} className="jw-adopt">
      <DialogBody>
        <p className="jw-muted">{t('designs.adoptHint')}</p>
        {data === null ? (
          problem === null ? (
            <Progress text={t('designs.adoptDrafting')} />
          ) : (
            <Failed text={problemText(locale, problem)} onRetry={reload} />
          )
        ) : drafts.length === 0 ? (
          <p className="jw-muted jw-tables__none">{t('designs.adoptNone')}</p>
        ) : (
          <>
            <Schemas drafts={drafts} left={left} onChoose={choose} />
            <Tables
              drafts={drafts}
              left={left}
              names={names}
              onChoose={choose}
              onName={(tag, name) => setNames({ ...names, [tag]: name })}
            />
          </>
        )}
        {faults.map((fault) => (
          <p key={fault} className="jw-fault" role="alert">
            {fault}
          </p>
        ))}
        {isSaving ? <Progress text={t('designs.adoptSaving', { n: chosen.length })} /> : null}
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button text={t('common.cancel')} onClick={() => onClose(false)} />
            <Button
              intent="primary"
              disabled={chosen.length === 0 || isSaving}
              text={t('designs.adoptSave', { n: chosen.length })}
              onClick={() => {
                void save(
                  chosen.map(({ definition }) => ({
                    ...named(definition, names),
                    ...linked(definition, chosen, drafts),
                  })),
                )
              }}
            />
          </>
        }
      />
    </Dialog>
  )
}

/** Saves all of the definitions or none, and keeps what is wrong with them. */
function useSave(onSaved: () => void) {
  const { api, t, locale, toast, reloadProfile } = useApp()
  const [isSaving, setSaving] = useState(false)
  const [faults, setFaults] = useState<readonly string[]>([])
  const save = async (definitions: readonly EntityDefinition[]) => {
    setSaving(true)
    setFaults([])
    try {
      const { adopted } = await api.design.adopt({
        body: { definitions: definitions.map((each) => ({ ...each })) },
      })
      toast('success', t('designs.adopted', { n: adopted.length }))
      reloadProfile()
      onSaved()
    } catch (error) {
      const { issues } = problemOf(error)
      setFaults(
        issues.length === 0
          ? [problemText(locale, problemOf(error))]
          : issues.map(({ path, msg }) => `${path.split('.').slice(1).join('.')}: ${msg}`),
      )
      setSaving(false)
    }
  }
  return { isSaving, faults, save }
}

function named(
  definition: EntityDefinition,
  names: Readonly<Record<string, string>>,
): EntityDefinition {
  const name = names[definition.tag]?.trim() ?? ''
  return name === '' ? definition : { ...definition, name, nameEn: name }
}

/** Relations to tables that are not brought in become plain fields. */
function linked(
  definition: EntityDefinition,
  chosen: readonly Draft[],
  drafts: readonly Draft[],
): Pick<EntityDefinition, 'fields'> {
  const away = new Set(drafts.map((draft) => draft.definition.tag))
  for (const draft of chosen) away.delete(draft.definition.tag)
  return {
    fields: definition.fields.map((field) =>
      field.dictType === 1 && away.has((field.dictValue ?? '').split('.')[0] ?? '')
        ? withoutRelation(field)
        : field,
    ),
  }
}

function Progress({ text }: { readonly text: string }) {
  return (
    <div role="status">
      <p>{text}</p>
      <ProgressBar intent="primary" />
    </div>
  )
}

interface SchemasProps {
  readonly drafts: readonly Draft[]
  readonly left: ReadonlySet<string>
  readonly onChoose: (tags: readonly string[], isChosen: boolean) => void
}

function Schemas({ drafts, left, onChoose }: SchemasProps) {
  const { t } = useApp()
  const schemas = Map.groupBy(drafts, ({ schema }) => schema)
  return (
    <div role="group" aria-label={t('designs.adoptSchemas')} className="jw-adopt__schemas">
      {[...schemas].map(([schema, its]) => {
        const tags = its.map(({ definition }) => definition.tag)
        const count = tags.filter((tag) => !left.has(tag)).length
        return (
          <Checkbox
            key={schema}
            inline
            checked={count === tags.length}
            indeterminate={count > 0 && count < tags.length}
            label={`${schema} (${count}/${tags.length})`}
            onChange={(event) => onChoose(tags, event.currentTarget.checked)}
          />
        )
      })}
    </div>
  )
}

interface TablesProps extends SchemasProps {
  readonly names: Readonly<Record<string, string>>
  readonly onName: (tag: string, name: string) => void
}

function Tables({ drafts, left, names, onChoose, onName }: TablesProps) {
  const { t } = useApp()
  return (
    <div className="jw-table-wrap jw-adopt__tables">
      <table className="jw-table" aria-label={t('designs.adopt')}>
        <thead>
          <tr>
            <th aria-label={t('designs.adoptAll')} />
            <th>{t('designs.table')}</th>
            <th>{t('designs.name')}</th>
            <th>{t('designs.adoptKey')}</th>
            <th className="is-right">{t('designs.adoptRows')}</th>
            <th className="is-right">{t('designs.adoptFields')}</th>
            <th className="is-right">{t('designs.adoptLinks')}</th>
            <th>{t('designs.adoptNotes')}</th>
          </tr>
        </thead>
        <tbody>
          {drafts.map((draft) => {
            const { tag, name } = draft.definition
            return (
              <TableRow
                key={tag}
                draft={draft}
                isChosen={!left.has(tag)}
                name={names[tag] ?? name}
                onChoose={(isChosen) => onChoose([tag], isChosen)}
                onName={(text) => onName(tag, text)}
              />
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

function TableRow({ draft, isChosen, name, onChoose, onName }: RowProps) {
  const { t, locale } = useApp()
  const { definition, schema, key, rows, readOnly, leftOut, notes } = draft
  const table = `${schema}.${draft.name}`
  const links = definition.fields.filter(({ dictType }) => dictType === 1).length
  return (
    <tr>
      <td>
        <Checkbox
          checked={isChosen}
          aria-label={t('designs.adoptOne', { name: table })}
          onChange={(event) => onChoose(event.currentTarget.checked)}
        />
      </td>
      <td>
        <code>{table}</code> {readOnly ? <Tag minimal>{t('designs.adoptReadOnly')}</Tag> : null}
      </td>
      <td>
        <InputGroup
          size="small"
          value={name}
          disabled={!isChosen}
          aria-label={t('designs.adoptName', { name: table })}
          onValueChange={onName}
        />
      </td>
      <td>{key.join(', ')}</td>
      <td className="is-right">
        {rows === null ? t('designs.adoptUnknown') : rows.toLocaleString(locale)}
      </td>
      <td className="is-right">{definition.fields.length}</td>
      <td className="is-right">{links}</td>
      <td className="jw-adopt__notes">
        {[...leftOut.map((part) => t('designs.adoptLeftOut', { ...part })), ...notes].map(
          (note) => (
            <div key={note}>{note}</div>
          ),
        )}
      </td>
    </tr>
  )
}
