import { useMemo } from 'react'
import { useText } from '../app/text-context.ts'
import { changeSettings, useSettings } from '../app/settings.ts'
import { useLanguage } from './use-language.ts'
import type { PaletteAction } from '../app/pages.ts'

/** Actions of the frame itself. */
export function usePaletteActions(signOut: () => Promise<void>): readonly PaletteAction[] {
  const { t } = useText()
  const { theme, locale } = useSettings()
  const changeLanguage = useLanguage()
  return useMemo(
    () => [
      {
        key: 'theme',
        icon: 'cog',
        text: t('shell.toggleTheme'),
        run: () => changeSettings({ theme: theme === 'dark' ? 'light' : 'dark' }),
      },
      {
        key: 'language',
        icon: 'globe-network',
        text: locale === 'en' ? '切换到中文' : 'Switch to English',
        run: () => void changeLanguage(locale === 'en' ? 'zh-CN' : 'en'),
      },
      { key: 'out', icon: 'log-out', text: t('shell.signOut'), run: () => void signOut() },
    ],
    [changeLanguage, locale, signOut, t, theme],
  )
}
