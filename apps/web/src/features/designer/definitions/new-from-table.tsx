import {
  Button,
  Dialog,
  DialogBody,
  DialogFooter,
  FormGroup,
  InputGroup,
  Tag,
} from '@blueprintjs/core'
import { Search } from '@blueprintjs/icons'
import { problemText, type TableInfo, tagOfTable } from '@jiaowu/api'
import { type SubmitEvent, useId, useState } from 'react'
import { useApp } from '../../../shell/context/app-context.tsx'
import { paths } from '../../../paths.ts'
import { Failed, Loading } from '../../../ui/page-state.tsx'
import { useLoad } from './use-load.ts'
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

/** From a table to a definition: pick the table, name the entity, and the designer opens with a draft that works as it stands. */
export function NewFromTable({ taken, onClose }: Props) {
  const { api, t, locale, openTab } = useApp()
  const { data, problem, again } = useLoad('tables', (signal) => api.design.tables({ signal }))
  const [wanted, setWanted] = useState('')
  const [table, setTable] = useState<string | null>(null)
  const [tag, setTag] = useState('')
  const [asked, setAsked] = useState(false)
  const id = useId()
  const fault = !isTag(tag)
    ? t('designs.tagWrong')
    : taken.has(tag)
      ? t('designs.tagTaken', { tag })
      : null
  const shown = (data ?? []).filter((each) => found(each, wanted.trim().toLowerCase()))
  const choose = ({ tableName }: TableInfo) => {
    setTable(tableName)
    setTag(freeTag(tableName, taken))
    setAsked(false)
  }
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    setAsked(true)
    if (table === null || fault !== null) return
    onClose()
    openTab(paths.design(tag, table), t('designer.title', { name: tag }))
  }
  return (
    <Dialog isOpen onClose={onClose} title={t('designs.newTitle')} className="jw-new-entity">
      <form onSubmit={submit} noValidate>
        <DialogBody>
          <InputGroup
            autoFocus
            type="search"
            leftElement={<Search className="bp6-icon" size={14} />}
            placeholder={t('designs.searchTable')}
            aria-label={t('designs.searchTable')}
            value={wanted}
            onValueChange={setWanted}
          />
          {data === null ? (
            problem === null ? (
              <Loading />
            ) : (
              <Failed text={problemText(locale, problem)} onRetry={again} />
            )
          ) : shown.length === 0 ? (
            <p className="jw-muted jw-tables__none">{t('designs.noTable')}</p>
          ) : (
            <Tables tables={shown} chosen={table} name={`${id}-table`} onChoose={choose} />
          )}
          {table === null ? null : (
            <FormGroup
              label={t('designs.tagLabel')}
              labelFor={`${id}-tag`}
              intent={asked && fault !== null ? 'danger' : 'none'}
              helperText={asked && fault !== null ? fault : t('designs.tagHint')}
            >
              <InputGroup
                id={`${id}-tag`}
                value={tag}
                intent={asked && fault !== null ? 'danger' : 'none'}
                onValueChange={(value) => setTag(value.trim())}
              />
            </FormGroup>
          )}
        </DialogBody>
        <DialogFooter
          actions={
            <>
              <Button text={t('common.cancel')} onClick={onClose} />
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

function found({ tableName, tableComment }: TableInfo, wanted: string): boolean {
  return tableName.includes(wanted) || tableComment.toLowerCase().includes(wanted)
}

/** `LOAN`, or `LOAN_2` when there is one. */
function freeTag(tableName: string, taken: ReadonlySet<string>): string {
  const wanted = tagOfTable(tableName)
  if (!taken.has(wanted)) return wanted
  for (let n = 2; ; n += 1) if (!taken.has(`${wanted}_${n}`)) return `${wanted}_${n}`
}

function Tables({ tables, chosen, name, onChoose }: TablesProps) {
  const { t, locale } = useApp()
  return (
    <div className="jw-tables" role="radiogroup" aria-label={t('designs.newTitle')}>
      {tables.map((table) => (
        <label
          key={table.tableName}
          className={`jw-tables__row${chosen === table.tableName ? ' is-on' : ''}`}
        >
          <input
            type="radio"
            name={name}
            checked={chosen === table.tableName}
            onChange={() => onChoose(table)}
          />
          <span className="jw-tables__name">
            <code>{table.tableName}</code>
            {table.tableComment === '' ? null : <span>{table.tableComment}</span>}
          </span>
          <span className="jw-tables__facts">
            {table.tags.length === 0 ? null : (
              <Tag minimal title={t('designs.usedBy', { tags: table.tags.join('、') })}>
                {table.tags.join('、')}
              </Tag>
            )}
            <small>
              {t('designs.rows', { n: Math.max(0, Math.round(table.rows)).toLocaleString(locale) })}
            </small>
          </span>
        </label>
      ))}
    </div>
  )
}
