import { useCallback, useMemo, useRef, useState } from 'react'
import { useApi } from '../../../../app/api-context.ts'
import { useNotice } from '../../../../app/notice-context.ts'
import { useText } from '../../../../app/text-context.ts'
import type { OnWidth } from '../../../../ui/table/column-edge.tsx'
import type { Widths } from '../../../../ui/table/columns.ts'

type Changes = Readonly<Record<string, number | null>>

/**
 * Column widths in px: the stored ones and the changes since. They belong to the user, not to a
 * saved view.
 */
export function useWidths(
  tag: string,
  kept: Widths,
): { readonly widths: Widths; readonly onWidth: OnWidth } {
  const [own, setOwn] = useState<Changes>({})
  const keep = useKeeping(tag)
  const widths = useMemo(
    () =>
      Object.fromEntries(
        Object.entries({ ...kept, ...own }).flatMap(([name, width]) =>
          width === null ? [] : [[name, width] as const],
        ),
      ),
    [kept, own],
  )
  const onWidth = useCallback<OnWidth>(
    (attrName, width, isKept) => {
      setOwn((before) => ({ ...before, [attrName]: width }))
      if (isKept) void keep({ [attrName]: width })
    },
    [keep],
  )
  return { widths, onWidth }
}

/** Stores changes one call at a time; changes made during a call are sent together by the next. */
function useKeeping(tag: string) {
  const { t } = useText()
  const { api } = useApi()
  const { toast } = useNotice()
  const waiting = useRef<Changes>({})
  const isSending = useRef(false)
  return useCallback(
    async (changes: Changes) => {
      waiting.current = { ...waiting.current, ...changes }
      if (isSending.current) return
      isSending.current = true
      while (Object.keys(waiting.current).length > 0) {
        const widths = waiting.current
        waiting.current = {}
        await api.view
          .keepWidths({ params: { tag }, body: { widths } })
          .catch(() => toast('warning', t('view.widthsNotKept')))
      }
      isSending.current = false
    },
    [api, tag, toast, t],
  )
}
