import { Radio, RadioGroup, Switch } from '@blueprintjs/core'
import { Tick } from '@blueprintjs/icons'
import { themeColours } from '@jiaowu/api/limits'
import { useApi } from '../app/api-context.ts'
import { useText } from '../app/text-context.ts'
import { changeSettings, type Settings, useSettings } from '../app/settings.ts'
import { NoticeChoices } from './notice-choices.tsx'
import { useLanguage } from './use-language.ts'
import { Drawer } from '../ui/overlays/drawer.tsx'

const switches = [
  'tagsView',
  'sidebarLogo',
  'fixedHeader',
  'fixedSidebar',
  'overflowTooltips',
] as const satisfies readonly (keyof Settings)[]

export function SettingsPanel({
  isOpen,
  onClose,
}: {
  readonly isOpen: boolean
  readonly onClose: () => void
}) {
  const { t } = useText()
  const { user } = useApi()
  const settings = useSettings()
  const changeLanguage = useLanguage()
  return (
    <Drawer
      isOpen={isOpen}
      onClose={onClose}
      title={t('shell.settings')}
      size="min(320px, 92vw)"
      className="jw-settings"
    >
      <div className="jw-settings__body">
        <h5>{t('shell.themeColour')}</h5>
        <div className="jw-swatches" role="radiogroup" aria-label={t('shell.themeColour')}>
          {themeColours.map((colour) => (
            <button
              key={colour}
              type="button"
              role="radio"
              aria-checked={settings.colour === colour}
              aria-label={colour}
              className="jw-swatch"
              style={{ background: colour }}
              onClick={() => changeSettings({ colour })}
            >
              {settings.colour === colour ? <Tick color="#fff" /> : null}
            </button>
          ))}
        </div>
        <RadioGroup
          label={t('shell.appearance')}
          inline
          selectedValue={settings.theme}
          onChange={(event) =>
            changeSettings({ theme: event.currentTarget.value as Settings['theme'] })
          }
        >
          {(['light', 'dark', 'system'] as const).map((theme) => (
            <Radio key={theme} value={theme} label={t(`shell.theme.${theme}`)} />
          ))}
        </RadioGroup>
        <RadioGroup
          label={t('shell.language')}
          inline
          selectedValue={settings.locale}
          onChange={(event) => {
            void changeLanguage(event.currentTarget.value as Settings['locale'])
          }}
        >
          <Radio value="zh-CN" label="中文" />
          <Radio value="en" label="English" />
        </RadioGroup>
        <h5>{t('shell.layout')}</h5>
        {switches.map((name) => (
          <Switch
            key={name}
            alignIndicator="right"
            checked={settings[name]}
            label={t(`shell.setting.${name}`)}
            onChange={(event) => changeSettings({ [name]: event.currentTarget.checked })}
          />
        ))}
        {isOpen ? <NoticeChoices /> : null}
        {user?.version === undefined ? null : (
          <p className="jw-muted">{t('shell.version', { version: user.version })}</p>
        )}
      </div>
    </Drawer>
  )
}
