import { Button, HTMLSelect, InputGroup, Switch } from '@blueprintjs/core'
import {
  Add,
  ArrowDown,
  ArrowUp,
  Cross,
  DragHandleVertical,
  Edit,
  Tick,
  Trash,
} from '@blueprintjs/icons'
import { limits, problemOf, problemText, type Row } from '@jiaowu/api'
import { type SubmitEvent, useEffect, useState } from 'react'
import { useApp } from '../../shell/context/app-context.tsx'
import { useReorder } from '../../ui/drag/reorder.ts'

export interface ItemDraft {
  readonly itemCode: string
  readonly name: string
  readonly nameEn: string
  readonly pid: string
}
const emptyDraft: ItemDraft = { itemCode: '', name: '', nameEn: '', pid: '0' }

interface Props {
  readonly dictCode: string
  readonly rows: readonly Row[]
  readonly may: { readonly add: boolean; readonly update: boolean; readonly delete: boolean }
  /** Rows were changed: to be read again. */
  readonly onChanged: () => void
}

/** The items of a dictionary in their own order: added, changed and put in order where they stand. */
export function DictionaryItems({ dictCode, rows, may, onChanged }: Props) {
  const { t, confirm } = useApp()
  const calls = useItemCalls(dictCode, onChanged)
  const [editing, setEditing] = useState<string | null>(null)
  const [order, setOrder] = useState<readonly Row[]>(rows)
  useEffect(() => setOrder(rows), [rows])
  const moved = (from: number, to: number): readonly Row[] => {
    const row = order[from]
    return row === undefined ? order : order.toSpliced(from, 1).toSpliced(to, 0, row)
  }
  const send = (next: readonly Row[]) => {
    setOrder(next)
    void calls.say(calls.order(next.map(({ id }) => id)))
  }
  // One call when the hand lets go, not one for every row passed.
  const { held, list, grip } = useReorder(
    (from, to) => setOrder(moved(from, to)),
    (kept) => {
      if (kept) send(order)
    },
  )
  const canOrder = may.update && order.length <= limits.treeSiblings && editing === null
  const remove = async (row: Row) => {
    if (
      await confirm({
        text: t('dictPage.deleteAsk', { name: String(row['name']) }),
        danger: true,
        confirmText: t('common.delete'),
      })
    )
      void calls.say(calls.remove(row.id))
  }
  const nameOf = (code: unknown) => order.find((row) => row['itemCode'] === code)?.['name']
  return (
    <div className="jw-dict__items">
      {order.length === 0 && editing === null ? (
        <p className="jw-muted">{t('dictPage.noItems')}</p>
      ) : null}
      <ul ref={list}>
        {order.map((row, index) => {
          const name = String(row['name'])
          if (editing === row.id)
            return (
              <EditRow
                key={row.id}
                row={row}
                others={order.filter(({ id }) => id !== row.id)}
                onCancel={() => setEditing(null)}
                onSave={async (draft) => {
                  const fault = await calls.save(row, draft)
                  if (fault === null) setEditing(null)
                  return fault
                }}
              />
            )
          const above = nameOf(row['pid'])
          return (
            <li
              key={row.id}
              className={`jw-dict__item${held === index ? ' is-held' : ''}${row['status'] === '1' ? '' : ' is-off'}`}
            >
              {canOrder ? (
                <span className="jw-tree__grip" aria-hidden {...grip(index)}>
                  <DragHandleVertical />
                </span>
              ) : null}
              <code>{String(row['itemCode'])}</code>
              <span className="jw-dict__name">
                {name}
                {above === undefined ? null : <small> ← {String(above)}</small>}
                <small>{String(row['nameEn'] ?? '')}</small>
              </span>
              <Switch
                className="jw-dict__switch"
                aria-label={`${t('dictPage.enabled')} ${name}`}
                checked={row['status'] === '1'}
                disabled={!may.update}
                onChange={(event) => {
                  void calls.say(
                    calls.update(row, { status: event.currentTarget.checked ? '1' : '0' }),
                  )
                }}
              />
              <span className="jw-dict__tools">
                {canOrder ? (
                  <>
                    <Button
                      variant="minimal"
                      size="small"
                      icon={<ArrowUp />}
                      aria-label={t('dictPage.up', { name })}
                      disabled={index === 0}
                      onClick={() => send(moved(index, index - 1))}
                    />
                    <Button
                      variant="minimal"
                      size="small"
                      icon={<ArrowDown />}
                      aria-label={t('dictPage.down', { name })}
                      disabled={index === order.length - 1}
                      onClick={() => send(moved(index, index + 1))}
                    />
                  </>
                ) : null}
                {may.update ? (
                  <Button
                    variant="minimal"
                    size="small"
                    icon={<Edit />}
                    aria-label={t('dictPage.editItem', { name })}
                    onClick={() => setEditing(row.id)}
                  />
                ) : null}
                {may.delete ? (
                  <Button
                    variant="minimal"
                    size="small"
                    intent="danger"
                    icon={<Trash />}
                    aria-label={t('dictPage.deleteItem', { name })}
                    onClick={() => {
                      void remove(row)
                    }}
                  />
                ) : null}
              </span>
            </li>
          )
        })}
        {editing === 'new' ? (
          <EditRow
            key={`new-${order.length}`}
            row={null}
            others={order}
            onCancel={() => setEditing(null)}
            onSave={(draft) => calls.create(draft, order.length + 1)}
          />
        ) : null}
      </ul>
      {may.add && editing !== 'new' ? (
        <Button
          variant="minimal"
          intent="primary"
          icon={<Add />}
          text={t('dictPage.addItem')}
          onClick={() => setEditing('new')}
        />
      ) : null}
    </div>
  )
}

/** Calls that change items; each says what went wrong, if something did. */
function useItemCalls(dictCode: string, onChanged: () => void) {
  const { api, toast, locale, t } = useApp()
  const attempt = async (work: () => Promise<unknown>): Promise<string | null> => {
    try {
      await work()
      onChanged()
      return null
    } catch (error) {
      const problem = problemOf(error)
      return problem.issues[0]?.msg ?? problemText(locale, problem)
    }
  }
  const say = async (fault: Promise<string | null>) => {
    const text = await fault
    if (text === null) toast('success', t('dictPage.saved'))
    else {
      toast('danger', text, { lasting: true })
      onChanged()
    }
  }
  const clean = ({ itemCode, name, nameEn, pid }: ItemDraft) => ({
    itemCode: itemCode.trim(),
    name: name.trim(),
    nameEn: nameEn.trim() === '' ? null : nameEn.trim(),
    pid,
  })
  return {
    create: (draft: ItemDraft, sort: number) =>
      attempt(() => api.dictionaryItem.create({ body: { dictCode, ...clean(draft), sort } })),
    update: ({ id, version }: Row, values: Record<string, unknown>) =>
      attempt(() => api.dictionaryItem.update({ body: { id, version, ...values } })),
    save: (row: Row, draft: ItemDraft) =>
      attempt(() => {
        const { itemCode: _fixed, ...values } = clean(draft)
        return api.dictionaryItem.update({ body: { id: row.id, version: row.version, ...values } })
      }),
    remove: (ids: string) => attempt(() => api.dictionaryItem.remove({ query: { ids } })),
    order: (ids: readonly string[]) =>
      attempt(() => api.tree.order({ params: { tag: 'SYS_DICT_ITEM' }, body: { ids: [...ids] } })),
    say,
  }
}

function EditRow({
  row,
  others,
  onSave,
  onCancel,
}: {
  readonly row: Row | null
  readonly others: readonly Row[]
  readonly onSave: (draft: ItemDraft) => Promise<string | null>
  readonly onCancel: () => void
}) {
  const { t } = useApp()
  const [draft, setDraft] = useState<ItemDraft>(row === null ? emptyDraft : draftOf(row))
  const [fault, setFault] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const set = (key: keyof ItemDraft) => (value: string) => setDraft({ ...draft, [key]: value })
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (draft.itemCode.trim() === '' || draft.name.trim() === '') {
      setFault(t('dictPage.needed'))
      return
    }
    setBusy(true)
    setFault(await onSave(draft))
    setBusy(false)
  }
  return (
    <li className="jw-dict__edit">
      <form
        onSubmit={(event) => {
          void submit(event)
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') {
            event.stopPropagation()
            onCancel()
          }
        }}
        noValidate
      >
        <InputGroup
          aria-label={t('dictPage.code')}
          placeholder={t('dictPage.code')}
          autoFocus={row === null}
          readOnly={row !== null}
          maxLength={64}
          value={draft.itemCode}
          onValueChange={set('itemCode')}
        />
        <InputGroup
          aria-label={t('dictPage.name')}
          placeholder={t('dictPage.name')}
          autoFocus={row !== null}
          maxLength={100}
          value={draft.name}
          onValueChange={set('name')}
        />
        <InputGroup
          aria-label={t('dictPage.nameEn')}
          placeholder={t('dictPage.nameEn')}
          maxLength={200}
          value={draft.nameEn}
          onValueChange={set('nameEn')}
        />
        <HTMLSelect
          aria-label={t('dictPage.parent')}
          value={draft.pid}
          onChange={(event) => set('pid')(event.currentTarget.value)}
        >
          <option value="0">{t('dictPage.noParent')}</option>
          {others.map((each) => (
            <option key={each.id} value={String(each['itemCode'])}>
              {String(each['name'])}
            </option>
          ))}
        </HTMLSelect>
        <Button
          type="submit"
          intent="primary"
          icon={<Tick />}
          aria-label={t('common.save')}
          title={t('common.save')}
          loading={busy}
        />
        <Button
          variant="minimal"
          icon={<Cross />}
          aria-label={t('common.cancel')}
          title={t('common.cancel')}
          onClick={onCancel}
        />
        {fault === null ? null : (
          <p className="jw-fault" role="alert">
            {fault}
          </p>
        )}
      </form>
    </li>
  )
}

function draftOf(row: Row): ItemDraft {
  return {
    itemCode: String(row['itemCode'] ?? ''),
    name: String(row['name'] ?? ''),
    nameEn: String(row['nameEn'] ?? ''),
    pid: String(row['pid'] ?? '0'),
  }
}
