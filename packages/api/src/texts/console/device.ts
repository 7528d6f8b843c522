import { group } from '../group.ts'

export const deviceTexts = group({
  'device.pending': ['等待在浏览器中确认', 'Waiting to be confirmed in a browser'],
  'device.slowDown': ['询问过于频繁，请稍候', 'Asked too often, wait a little'],
  'device.expired': ['设备代码已失效，请重新登录', 'The code of the device is over; sign in again'],
  'device.denied': ['登录请求被拒绝', 'The sign-in was refused'],
  'device.unknown': [
    '代码不存在或已失效，请核对设备上显示的代码',
    'This code is unknown or over; compare it with the one that the device shows',
  ],
  'device.title': ['设备登录', 'Sign in a device'],
  'device.about': [
    '输入终端上显示的代码，让它以您的账号登录。',
    'Type the code that the terminal shows, to let it sign in as you.',
  ],
  'device.code': ['代码', 'Code'],
  'device.next': ['下一步', 'Next'],
  'device.asks': [
    '以下设备请求以 {name}（{account}）登录',
    'This device asks to sign in as {name} ({account})',
  ],
  'device.asksProof': [
    '此设备已以 {name}（{account}）登录，请求确认您本人正在操作',
    'This device is signed in as {name} ({account}) and asks you to confirm that it is you',
  ],
  'device.agreeProof': ['确认是我', 'It is me'],
  'device.device': ['设备', 'Device'],
  'device.unknownDevice': ['未知设备', 'unknown'],
  'device.address': ['地址', 'Address'],
  'device.sameAddress': ['与您的浏览器相同', 'the same as of your browser'],
  'device.otherAddress': ['与您的浏览器不同', 'not the same as of your browser'],
  'device.began': ['请求时间', 'Asked at'],
  'device.warning': [
    '只有在您刚刚亲自在该设备上运行登录命令时才允许。如果是他人发来代码或链接，无论自称是谁，请拒绝：允许后，对方将以您的身份使用系统。',
    'Agree only if you have just started this sign-in yourself on that device. If somebody sent you the code or the link, whoever they say they are, refuse: they would work in your name.',
  ],
  'device.agree': ['允许登录', 'Let it sign in'],
  'device.refuse': ['拒绝', 'Refuse'],
  'device.agreed': ['已允许，可以回到终端', 'Done: go back to the terminal'],
  'device.refused': ['已拒绝该设备', 'The device was refused'],
  'device.close': ['返回首页', 'To the start page'],
})
