import { useCallback } from 'react'
import { useApp } from '../app/app-context.tsx'
import { changeLocale } from '../texts/load-texts.ts'
import type { Settings } from '../app/settings.ts'

/**
 * Switches the language. All open views are loaded again, so the user confirms first when input is
 * unsaved.
 */
export function useLanguage() {
  const { t, confirm, hasUnsaved } = useApp()
  return useCallback(
    async (locale: Settings['locale']) => {
      if (!hasUnsaved() || (await confirm({ text: t('shell.languageUnsaved'), danger: true })))
        await changeLocale(locale)
    },
    [t, confirm, hasUnsaved],
  )
}
