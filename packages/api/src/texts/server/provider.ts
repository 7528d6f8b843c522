import { group } from '../group.ts'

/**
 * Meanings of the codes of payment and SMS providers and the way out, by the code. Sources: 微信支付
 * APIv3 公共错误码 and the pages of Native orders and refunds, 阿里云短信 API 错误码, 腾讯云短信 错误码.
 */
export const providerTexts = group({
  'hook.private': [
    '该地址属于内部网络，服务器未允许（HOOK_NETWORKS）',
    'The address is in a private network that the server does not allow (HOOK_NETWORKS)',
  ],
  'hook.waits': ['该通知还在等待发送', 'The delivery still waits'],
  'hook.givenUp.title': ['通知未能送达：{name}', 'Not delivered: {name}'],
  'hook.givenUp.content': [
    '记录 {row} 的通知多次发送失败（{failure}），不再重试。用 jiaowu hook deliveries 查看并重新发送。',
    'A call about row {row} failed again and again ({failure}) and is given up. jiaowu hook deliveries shows and repeats it.',
  ],
  'provider.code.SIGN_ERROR': [
    '签名错误：请核对商户号、商户证书序列号与私钥文件',
    'wrong signature: check merchant number, certificate serial and private key file',
  ],
  'provider.code.NO_AUTH': [
    '商户没有此接口的权限，请在商户平台开通',
    'the merchant lacks the permission for this call; open it at the merchant platform',
  ],
  'provider.code.MCH_NOT_EXISTS': ['商户号不存在', 'the merchant number does not exist'],
  'provider.code.APPID_MCHID_NOT_MATCH': [
    'AppID 与商户号未绑定',
    'the application is not bound to the merchant number',
  ],
  'provider.code.PARAM_ERROR': ['参数错误', 'wrong parameters'],
  'provider.code.INVALID_REQUEST': ['请求不符合业务规则', 'the request breaks a business rule'],
  'provider.code.NOT_ENOUGH': [
    '商户可用余额不足，请充值或等待结算',
    'the merchant’s balance is too low: top it up, or wait for the settlement',
  ],
  'provider.code.USER_ACCOUNT_ABNORMAL': [
    '付款人账户异常或已注销，请线下退款',
    'the payer’s account is closed or blocked: refund by other means',
  ],
  'provider.code.REQUEST_BLOCKED': [
    '请求被平台拦截，请在商户平台查看原因',
    'the provider blocks the request: see the reason at the merchant platform',
  ],
  'provider.code.OUT_TRADE_NO_USED': [
    '订单号已用于另一笔订单',
    'the order number belongs to another order already',
  ],
  'provider.code.ORDER_CLOSED': ['订单已在平台关闭', 'the order is closed at the provider'],
  'provider.code.ORDER_PAID': ['订单已支付', 'the order is paid already'],
  'provider.code.ORDERPAID': ['订单已支付', 'the order is paid already'],
  'provider.code.ORDER_NOT_EXIST': ['平台没有这笔订单', 'the provider has no such order'],
  'provider.code.USERPAYING': [
    '付款人正在确认付款，稍后自动再查',
    'the payer is confirming the payment; asked again later',
  ],
  'provider.code.USER_PAYING': [
    '付款人正在确认付款，稍后自动再查',
    'the payer is confirming the payment; asked again later',
  ],
  'provider.code.NO_STATEMENT_EXIST': ['当日没有交易，没有账单', 'a day without trade has no bill'],
  'provider.code.STATEMENT_CREATING': [
    '账单生成中，半小时后自动再取',
    'the bill is being made; asked for again in half an hour',
  ],
  'provider.code.INVALID_TRANSACTIONID': [
    '平台的订单号不正确，将自动重试',
    'the provider does not know its order number; tried again',
  ],
  'provider.code.OPENID_MISMATCH': [
    'AppID 与付款人不一致',
    'the payer belongs to another application',
  ],
  'provider.code.FREQUENCY_LIMIT_EXCEED': ['请求过于频繁', 'too many requests'],
  'provider.code.RULE_LIMIT': ['业务规则限制', 'limited by a business rule'],
  'provider.code.TRADE_ERROR': ['交易错误', 'the trade is in error'],
  'provider.code.ACCOUNT_ERROR': ['账户异常', 'the account is abnormal'],
  'provider.code.RESOURCE_NOT_EXISTS': [
    '所查询的对象不存在',
    'what was asked about does not exist',
  ],
  'provider.code.FREQUENCY_LIMITED': ['请求过于频繁', 'too many requests'],
  'provider.code.RATELIMIT_EXCEEDED': ['请求过于频繁', 'too many requests'],
  'provider.code.HTTP_429': ['请求过于频繁', 'too many requests'],
  'provider.code.SYSTEM_ERROR': [
    '平台系统错误，将自动重试',
    'an error of the provider; tried again',
  ],
  'provider.code.BANK_ERROR': ['银行系统异常，将自动重试', 'an error of the bank; tried again'],
  'provider.code.UNSIGNED': [
    '应答的签名无法验证：请核对 API v3 密钥与微信支付公钥设置',
    'the signature of the answer cannot be verified: check the API v3 key and the public key settings',
  ],
  'provider.code.INVALID_ANSWER': ['应答无法识别', 'the answer cannot be understood'],
  'provider.code.TimeoutError': ['平台未在时限内应答', 'the provider did not answer in time'],
  'provider.code.TypeError': [
    '无法连接到平台，请检查网络与代理',
    'the provider cannot be reached: check network and proxy',
  ],
  'provider.code.SignatureDoesNotMatch': [
    '签名不匹配：请核对 AccessKey Secret',
    'the signature does not match: check the access key secret',
  ],
  'provider.code.InvalidAccessKeyId.NotFound': [
    'AccessKey ID 不存在',
    'the access key id does not exist',
  ],
  'provider.code.isv.SMS_SIGNATURE_ILLEGAL': [
    '短信签名不存在或未通过审核',
    'the SMS signature does not exist or is not approved',
  ],
  'provider.code.isv.SMS_SIGN_ILLEGAL': [
    '短信签名不存在或未通过审核',
    'the SMS signature does not exist or is not approved',
  ],
  'provider.code.isv.SMS_TEMPLATE_ILLEGAL': [
    '短信模板不存在或未通过审核',
    'the SMS template does not exist or is not approved',
  ],
  'provider.code.isv.TEMPLATE_MISSING_PARAMETERS': [
    '短信模板的变量与参数不一致',
    'the variables of the SMS template differ from the parameters',
  ],
  'provider.code.isv.BUSINESS_LIMIT_CONTROL': [
    '该号码触发平台的发送频率限制',
    'the number has reached the provider’s limit of messages',
  ],
  'provider.code.isv.MOBILE_NUMBER_ILLEGAL': ['手机号码不合法', 'the mobile number is not valid'],
  'provider.code.isv.AMOUNT_NOT_ENOUGH': [
    '短信账户余额不足',
    'the balance of the SMS account is too low',
  ],
  'provider.code.isv.OUT_OF_SERVICE': [
    '短信业务已停机（欠费）',
    'the SMS account is suspended (unpaid)',
  ],
  'provider.code.isv.PRODUCT_UN_SUBSCRIPT': ['未开通短信服务', 'the SMS service is not activated'],
  'provider.code.isp.RAM_PERMISSION_DENY': [
    'AccessKey 没有短信服务的权限',
    'the access key lacks the permission for the SMS service',
  ],
  'provider.code.AuthFailure.SignatureFailure': [
    '签名错误：请核对 SecretKey',
    'wrong signature: check the secret key',
  ],
  'provider.code.AuthFailure.SecretIdNotFound': ['SecretId 不存在', 'the secret id does not exist'],
  'provider.code.NO_CERTIFICATE': [
    '商户没有平台证书：请设置微信支付公钥',
    'the merchant has no platform certificate: set the public key of WeChat Pay',
  ],
  'provider.sandbox': [
    'PAY_DRIVER 为 sandbox：不连接支付平台',
    'PAY_DRIVER is sandbox: no payment provider is asked',
  ],
  'provider.outbox': [
    'SMS_DRIVER 为 outbox：短信写入文件，不发送',
    'SMS_DRIVER is outbox: messages are written to a file and not sent',
  ],
  'provider.wechatQuery': [
    '查询成功：商户签名被接受，应答的签名已验证',
    'a query passed: the merchant’s signature is accepted, and that of the answer was verified',
  ],
  'provider.wechatKeys': [
    '平台证书 {n} 张，微信支付公钥：{id}；API v3 密钥可用',
    '{n} platform certificates, public key: {id}; the API v3 key works',
  ],
  'provider.noPublicKey': ['未设置', 'not set'],
  'provider.smsAccount': [
    '账户、签名与模板均可查询',
    'account, signature and templates can be queried',
  ],
  'provider.smsSent': [
    '平台已接受发往 {mobile} 的短信',
    'the provider has taken the message to {mobile}',
  ],
  'provider.testSms': [
    '测试短信，验证码 {code}，请忽略。',
    'A test message with the code {code}; please ignore it.',
  ],
  'provider.withWords': ['{code}（{words}）', '{code} ({words})'],
  'refund.stuckTitle': ['退款受阻：{orderNo}', 'A refund is stuck: {orderNo}'],
  'refund.stuckContent': [
    '订单 {orderNo} 的退款 {refundNo} 已被支付平台拒绝 {tries} 次：{failure}。系统会继续重试；请在“退款”中查看。',
    'The provider has refused refund {refundNo} of order {orderNo} {tries} times: {failure}. It is tried again; see “Refunds”.',
  ],
  'refund.failedTitle': ['退款失败：{orderNo}', 'A refund failed: {orderNo}'],
  'refund.failedContent': [
    '支付平台未能完成订单 {orderNo} 的退款 {refundNo}，不会再重试。请在“退款”中重新申请，或线下退款。',
    'The provider could not carry out refund {refundNo} of order {orderNo} and it is not tried again. Request it anew under “Refunds”, or refund by other means.',
  ],
  'refund.orderNote': [
    '退款：{failure}，已试 {tries} 次，下次 {next}',
    'refund: {failure}, {tries} tries, next at {next}',
  ],
})
