import { type Browser, chromium } from 'playwright-core'

/** Chromium as `npm test` found it (CHROMIUM_PATH), quiet and without a sandbox, which containers lack. */
export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  })
