import { limits } from '@jiaowu/api/limits'
import type { Problem } from '@jiaowu/api/problem'
import { useApi } from '../../../app/api-context.ts'
import { useNotice } from '../../../app/notice-context.ts'
import { useText } from '../../../app/text-context.ts'
import { issueText } from '../../../ui/issue-text.ts'
import { useResource } from '../../../ui/resource/use-resource.ts'

export interface ItemDraft {
  readonly itemCode: string
  readonly name: string
  readonly nameEn: string
  /** Code of the parent item; '0': none. */
  readonly pid: string
}
export interface ItemRef {
  readonly id: string
  readonly version: unknown
}
export type DictionaryItemsResource = ReturnType<typeof useDictionaryItems>

/**
 * The items of one dictionary and the actions on them. `onSaved`: the form of an existing item was
 * saved.
 */
export function useDictionaryItems(dictCode: string, onSaved: () => void) {
  const { t, locale } = useText()
  const { api } = useApi()
  const { toast } = useNotice()
  const toastSaved = () => toast('success', t('dictPage.saved'))
  const undo = (problem: Problem) => {
    toast('danger', issueText(locale, problem), { lasting: true })
    items.reload()
  }
  const items = useResource({
    query: dictCode,
    load: (code, signal) =>
      api.dictionaryItem.page({
        body: {
          pageSize: limits.maxPageSize,
          queries: { dictCode: code },
          sorts: [{ column: 'sort', asc: true }],
        },
        signal,
      }),
    actions: {
      create: ({ draft, sort }: { readonly draft: ItemDraft; readonly sort: number }) =>
        api.dictionaryItem.create({ body: { dictCode, ...trimDraft(draft), sort } }),
      save: ({ id, version, draft }: ItemRef & { readonly draft: ItemDraft }) => {
        const { itemCode: _fixed, ...values } = trimDraft(draft)
        return api.dictionaryItem.update({ body: { id, version, ...values } })
      },
      switchOn: ({ id, version, on }: ItemRef & { readonly on: boolean }) =>
        api.dictionaryItem.update({ body: { id, version, status: on ? '1' : '0' } }),
      remove: ({ id }: { readonly id: string; readonly name: string }) =>
        api.dictionaryItem.remove({ query: { ids: id } }),
      order: (ids: readonly string[]) =>
        api.tree.order({ params: { tag: 'SYS_DICT_ITEM' }, body: { ids: [...ids] } }),
    },
    confirm: {
      remove: ({ name }) => ({
        text: t('dictPage.deleteAsk', { name }),
        danger: true,
        confirmText: t('common.delete'),
      }),
    },
    onDone: {
      save: onSaved,
      switchOn: toastSaved,
      remove: toastSaved,
      order: toastSaved,
    },
    onFailed: { switchOn: undo, remove: undo, order: undo },
  })
  return items
}

function trimDraft({ itemCode, name, nameEn, pid }: ItemDraft) {
  return {
    itemCode: itemCode.trim(),
    name: name.trim(),
    nameEn: nameEn.trim() === '' ? null : nameEn.trim(),
    pid,
  }
}
