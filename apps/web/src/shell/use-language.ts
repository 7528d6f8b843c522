import { useCallback } from 'react'
import { useNotice } from '../app/notice-context.ts'
import { useTabs } from '../app/tab-context.ts'
import { useText } from '../app/text-context.ts'
import { changeLocale } from '../texts/load-texts.ts'
import type { Settings } from '../app/settings.ts'

/**
 * Switches the language. All open views are loaded again, so the user confirms first when input is
 * unsaved.
 */
export function useLanguage() {
  const { t } = useText()
  const { confirm } = useNotice()
  const { hasUnsaved } = useTabs()
  return useCallback(
    async (locale: Settings['locale']) => {
      if (!hasUnsaved() || (await confirm({ text: t('shell.languageUnsaved'), danger: true })))
        await changeLocale(locale)
    },
    [t, confirm, hasUnsaved],
  )
}
