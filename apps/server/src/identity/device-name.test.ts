import { expect, it } from 'vitest'
import { deviceName } from './device-name.ts'

it.each([
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15',
    'Safari 17 · macOS Catalina',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0', 'Firefox 128 · Linux'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 MicroMessenger/8.0.47(0x18002f2c) NetType/WIFI Language/zh_CN',
    'WeChat 8 · iOS 17.4',
  ],
  ['jiaowu/0.2.0 (linux x64)', 'jiaowu 0.2.0 · linux x64'],
  ['curl/8.5.0', null],
  ['Checked by the IT office, please agree/1.0', null],
  ['jiaowu/0.2.0 (checked by: the office)', null],
  ['', null],
  [null, null],
])('says %s in words', (userAgent, words) => {
  expect(deviceName(userAgent)).toBe(words)
})
