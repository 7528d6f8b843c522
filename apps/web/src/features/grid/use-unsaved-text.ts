import type { UnsavedRow } from '@jiaowu/machines/grid-edit/unsaved/unsaved'
import { useCallback } from 'react'
import { useText } from '../../app/text-context.ts'

/** Names an unsaved row and says why: `高等数学A · 学时：请输入正确的数字`. */
export function useUnsavedText(): (row: UnsavedRow) => string {
  const { t, messageText } = useText()
  return useCallback(
    ({ name: record, field, reason: why }) => {
      const name = record === '' ? t('grid.newRow') : record
      const reason = why === null ? t('grid.waits') : messageText(why)
      return field === null
        ? t('grid.unsavedRow', { name, reason })
        : t('grid.unsavedCell', { name, label: field.uiLabel, reason })
    },
    [t, messageText],
  )
}
