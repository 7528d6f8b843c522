import { Button, DialogBody, DialogFooter, FormGroup, InputGroup, Tag } from '@blueprintjs/core'
import { Search } from '@blueprintjs/icons'
import { problemText } from '@jiaowu/api/problem'
import type { TableInfo } from '@jiaowu/api/entity/definition/table'
import { tagOfTable } from '@jiaowu/api/entity/definition/draft'
import { type SubmitEvent, useId, useState } from 'react'
import { useApi } from '../../../app/api-context.ts'
import { useTabs } from '../../../app/tab-context.ts'
import { useText } from '../../../app/text-context.ts'
import { paths } from '../../../paths.ts'
import { Failed, Loading } from '../../../ui/resource/page-state.tsx'
import { useLoad } from './use-load.ts'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { CancelButton } from '../../../ui/overlays/cancel-button.tsx'
import { UnsavedInput } from '../../../ui/overlays/unsaved-input.tsx'

const isTag = (text: string): boolean => /^[A-Za-z][A-Za-z0-9_]{1,62}$/.test(text)

interface TablesProps {
  readonly tables: readonly TableInfo[]
  readonly chosen: string | null
  readonly name: string
  readonly onChoose: (table: TableInfo) => void
}

interface Props {
  readonly taken: ReadonlySet<string>
  readonly onClose: () => void
}

/**
 * Dialog for a new definition: the user selects a table and a tag, and the designer opens a draft
 * made from the table.
 */
export function NewFromTable({ taken, onClose }: Props) {
  const { t } = useText()
  const { openTab } = useTabs()
  const [table, setTable] = useState<string | null>(null)
  const [tag, setTag] = useState('')
  const [isSubmitted, setSubmitted] = useState(false)
  const id = useId()
  const fault = !isTag(tag)
    ? t('designs.tagWrong')
    : taken.has(tag)
      ? t('designs.tagTaken', { tag })
      : null
  const choose = (chosen: TableInfo) => {
    setTable(fullName(chosen))
    setTag(freeTag(chosen.name, taken))
    setSubmitted(false)
  }
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    setSubmitted(true)
    if (table === null || fault !== null) return
    onClose()
    openTab(paths.design(tag, table), t('designer.title', { name: tag }))
  }
  return (
    <Dialog isOpen onClose={onClose} title={t('designs.newTitle')} className="jw-new-entity">
      <form onSubmit={submit} noValidate>
        <DialogBody>
          <TableSearch chosen={table} name={`${id}-table`} onChoose={choose} />
          {table === null ? null : (
            <UnsavedInput>
              <FormGroup
                label={t('designs.tagLabel')}
                labelFor={`${id}-tag`}
                intent={isSubmitted && fault !== null ? 'danger' : 'none'}
                helperText={isSubmitted && fault !== null ? fault : t('designs.tagHint')}
              >
                <InputGroup
                  id={`${id}-tag`}
                  value={tag}
                  intent={isSubmitted && fault !== null ? 'danger' : 'none'}
                  onValueChange={(value) => setTag(value.trim())}
                />
              </FormGroup>
            </UnsavedInput>
          )}
        </DialogBody>
        <DialogFooter
          actions={
            <>
              <CancelButton onClick={onClose} />
              <Button
                type="submit"
                intent="primary"
                disabled={table === null}
                text={t('designs.next')}
              />
            </>
          }
        />
      </form>
    </Dialog>
  )
}

const fullName = ({ schema, name }: TableInfo) => `${schema}.${name}`

function matchesTable({ name, comment }: TableInfo, keyword: string): boolean {
  return name.toLowerCase().includes(keyword) || comment.toLowerCase().includes(keyword)
}

/** Unused tag for a table: `LOAN`, or `LOAN_2` if `LOAN` is taken. */
function freeTag(tableName: string, taken: ReadonlySet<string>): string {
  const wanted = tagOfTable(tableName)
  if (!taken.has(wanted)) return wanted
  for (let n = 2; ; n += 1) if (!taken.has(`${wanted}_${n}`)) return `${wanted}_${n}`
}

/** Search input with the list of matching tables. */
function TableSearch(props: Omit<TablesProps, 'tables'>) {
  const { t, locale } = useText()
  const { api } = useApi()
  const { data, problem, reload } = useLoad('tables', (signal) => api.design.tables({ signal }))
  const [search, setSearch] = useState('')
  const keyword = search.trim().toLowerCase()
  const shown = (data ?? []).filter((table) => matchesTable(table, keyword))
  return (
    <>
      <InputGroup
        autoFocus
        type="search"
        leftElement={<Search className="bp6-icon" size={14} />}
        placeholder={t('designs.searchTable')}
        aria-label={t('designs.searchTable')}
        value={search}
        onValueChange={setSearch}
      />
      {data === null ? (
        problem === null ? (
          <Loading />
        ) : (
          <Failed text={problemText(locale, problem)} onRetry={reload} />
        )
      ) : shown.length === 0 ? (
        <p className="jw-muted jw-tables__none">{t('designs.noTable')}</p>
      ) : (
        <Tables {...props} tables={shown} />
      )}
    </>
  )
}

function Tables({ tables, chosen, name, onChoose }: TablesProps) {
  const { t, locale } = useText()
  return (
    <div className="jw-tables" role="radiogroup" aria-label={t('designs.newTitle')}>
      {tables.map((table) => (
        <label
          key={fullName(table)}
          className={`jw-tables__row${chosen === fullName(table) ? ' is-on' : ''}`}
        >
          <input
            type="radio"
            name={name}
            checked={chosen === fullName(table)}
            onChange={() => onChoose(table)}
          />
          <span className="jw-tables__name">
            <code>{table.schema === 'biz' ? table.name : fullName(table)}</code>
            {table.comment === '' ? null : <span>{table.comment}</span>}
          </span>
          <span className="jw-tables__facts">
            {table.tags.length === 0 ? null : (
              <Tag minimal title={t('designs.usedBy', { tags: table.tags.join('、') })}>
                {table.tags.join('、')}
              </Tag>
            )}
            <small>
              {table.rows === null
                ? t('designs.rowsUnknown')
                : t('designs.rows', { n: table.rows.toLocaleString(locale) })}
            </small>
          </span>
        </label>
      ))}
    </div>
  )
}
