import { Button, HTMLSelect, InputGroup } from '@blueprintjs/core'
import { Cross, Tick } from '@blueprintjs/icons'
import type { Problem } from '@jiaowu/api/problem'
import type { Row } from '@jiaowu/api/entity/values'
import { type SubmitEvent, useState } from 'react'
import { useText } from '../../../app/text-context.ts'
import { issueText } from '../../../ui/issue-text.ts'
import type { ItemDraft } from './use-dictionary-items.ts'

interface Props {
  /** Null: a new item. */
  readonly row: Row | null
  /** Items that may be the parent. */
  readonly others: readonly Row[]
  readonly isActing: boolean
  readonly problem: Problem | null
  readonly onSave: (draft: ItemDraft) => void
  readonly onCancel: () => void
}

/** An item of a dictionary being edited in its row. The code of an existing item is fixed. */
export function DictionaryItemForm({ row, others, isActing, problem, onSave, onCancel }: Props) {
  const { t, locale } = useText()
  const [draft, setDraft] = useState<ItemDraft>(toItemDraft(row))
  const [lack, setLack] = useState<string | null>(null)
  const set = (key: keyof ItemDraft) => (value: string) => setDraft({ ...draft, [key]: value })
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const isComplete = draft.itemCode.trim() !== '' && draft.name.trim() !== ''
    setLack(isComplete ? null : t('dictPage.needed'))
    if (isComplete) onSave(draft)
  }
  const fault = lack ?? (problem === null ? null : issueText(locale, problem))
  return (
    <li className="jw-dict__edit">
      <form
        onSubmit={submit}
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
        <ParentSelect value={draft.pid} others={others} onChange={set('pid')} />
        <Button
          type="submit"
          intent="primary"
          icon={<Tick />}
          aria-label={t('common.save')}
          title={t('common.save')}
          loading={isActing}
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

function toItemDraft(row: Row | null): ItemDraft {
  return {
    itemCode: String(row?.['itemCode'] ?? ''),
    name: String(row?.['name'] ?? ''),
    nameEn: String(row?.['nameEn'] ?? ''),
    pid: String(row?.['pid'] ?? '0'),
  }
}

function ParentSelect({
  value,
  others,
  onChange,
}: {
  readonly value: string
  readonly others: readonly Row[]
  readonly onChange: (code: string) => void
}) {
  const { t } = useText()
  return (
    <HTMLSelect
      aria-label={t('dictPage.parent')}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    >
      <option value="0">{t('dictPage.noParent')}</option>
      {others.map((each) => (
        <option key={each.id} value={String(each['itemCode'])}>
          {String(each['name'])}
        </option>
      ))}
    </HTMLSelect>
  )
}
