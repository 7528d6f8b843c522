import { Button } from '@blueprintjs/core'
import { useOutdated } from '../app/new-build.ts'
import { useText } from '../app/text-context.ts'

/** A line above the page while the server runs another build than this tab; reloading asks about unsaved input. */
export function NewBuildBar() {
  const { t } = useText()
  return useOutdated() ? (
    <div className="jw-shell__news" role="status">
      <span>{t('shell.newBuild')}</span>
      <Button size="small" text={t('shell.reload')} onClick={() => location.reload()} />
    </div>
  ) : null
}
