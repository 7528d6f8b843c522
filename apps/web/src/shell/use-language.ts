import { useCallback } from 'react'
import { useApp } from './context/app-context.tsx'
import { changeSettings, type Settings } from './context/settings.ts'

/** Switches the language. Every open view is loaded anew in it, so unsaved input is asked about first. */
export function useLanguage() {
  const { t, confirm, hasUnsaved } = useApp()
  return useCallback(
    async (locale: Settings['locale']) => {
      if (!hasUnsaved() || (await confirm({ text: t('shell.languageUnsaved'), danger: true })))
        changeSettings({ locale })
    },
    [t, confirm, hasUnsaved],
  )
}
