import { Button } from '@blueprintjs/core'
import { Flash, Moon, Translate } from '@blueprintjs/icons'
import type { SchoolInfo } from '@jiaowu/api/contract/student/student'
import { useText } from '../../app/text-context.ts'
import { changeSettings, useSettings } from '../../app/settings.ts'
import { changeLocale } from '../../texts/load-texts.ts'
import { Emblem } from './sign-in/emblem.tsx'

/** Emblem, school and product name, at the top of each page outside the console. */
export function Brand({ school }: { readonly school: SchoolInfo | null }) {
  const { t } = useText()
  return (
    <div className="jw-brand">
      <Emblem size={38} />
      <span>
        {school === null || school.schoolName === '' ? null : <small>{school.schoolName}</small>}
        {t('app.title')}
      </span>
    </div>
  )
}

/** Buttons for language and theme, on pages without a settings panel. */
export function PageTools() {
  const { t } = useText()
  const { locale, theme } = useSettings()
  return (
    <>
      <Button
        variant="minimal"
        icon={<Translate />}
        text={locale === 'en' ? '中文' : 'English'}
        aria-label={t('studentPage.language')}
        onClick={() => void changeLocale(locale === 'en' ? 'zh-CN' : 'en')}
      />
      <Button
        variant="minimal"
        icon={theme === 'dark' ? <Flash /> : <Moon />}
        aria-label={t('shell.toggleTheme')}
        title={t('shell.toggleTheme')}
        onClick={() => changeSettings({ theme: theme === 'dark' ? 'light' : 'dark' })}
      />
    </>
  )
}
