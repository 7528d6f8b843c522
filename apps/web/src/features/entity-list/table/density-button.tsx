import { Button, Menu, MenuItem } from '@blueprintjs/core'
import { LayoutThreeRows, Tick } from '@blueprintjs/icons'
import { useApp } from '../../../shell/context/app-context.tsx'
import { changeSettings, densities, useSettings } from '../../../shell/context/settings.ts'
import { Popover } from '../../../ui/popover.tsx'

/** Chooses the height of the rows of every list. */
export function DensityButton() {
  const { t } = useApp()
  const { density } = useSettings()
  return (
    <Popover
      content={
        <Menu>
          {densities.map((each) => (
            <MenuItem
              key={each}
              icon={each === density ? <Tick /> : 'blank'}
              text={t(`list.density.${each}`)}
              aria-current={each === density}
              onClick={() => changeSettings({ density: each })}
            />
          ))}
        </Menu>
      }
    >
      <Button
        variant="minimal"
        icon={<LayoutThreeRows />}
        aria-label={t('list.density')}
        title={t('list.density')}
      />
    </Popover>
  )
}
