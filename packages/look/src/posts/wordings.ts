// Written by `npm run translations` from web/src/i18n. Do not change it by hand.
/**
 * What a person reads first in a post: that this account on this network belongs to the holder of a key (`claim_the`
 * where the name of the network takes an article); then the name of the time line. No claim begins with the account: X
 * takes a post that begins with `@name` for a reply, which followers do not see.
 */
export const WORDINGS = {
  en: {
    claim: 'I own {account} on {network} and sign this with my own key.',
    claim_the: 'I own {account} on the {network} and sign this with my own key.',
    time: 'Time',
  },
  de: {
    claim: 'Auf {network} gehört {account} mir; das belegt die Signatur meines Schlüssels.',
    claim_the: 'Im {network} gehört {account} mir; das belegt die Signatur meines Schlüssels.',
    time: 'Zeit',
  },
  es: {
    claim: 'Mi cuenta en {network} es {account}; lo firmo con mi clave.',
    claim_the: 'Mi cuenta en el {network} es {account}; lo firmo con mi clave.',
    time: 'Hora',
  },
  fr: {
    claim: 'Mon compte sur {network} est {account} ; je le signe avec ma clé.',
    claim_the: 'Mon compte sur le {network} est {account} ; je le signe avec ma clé.',
    time: 'Heure',
  },
  ja: {
    claim: '{network} の {account} は私のアカウントです。私の鍵で署名します。',
    claim_the: '{network} の {account} は私のアカウントです。私の鍵で署名します。',
    time: '日時',
  },
  ko: {
    claim: '{network} 계정 {account} 은(는) 제 것이며 제 키로 서명합니다.',
    claim_the: '{network} 계정 {account} 은(는) 제 것이며 제 키로 서명합니다.',
    time: '시각',
  },
  pt: {
    claim: 'Minha conta no {network} é {account}; assino com a minha chave.',
    claim_the: 'Minha conta no {network} é {account}; assino com a minha chave.',
    time: 'Hora',
  },
  zh: {
    claim: '{network} 账号 {account} 归我所有，以我的密钥签名为证。',
    claim_the: '{network} 账号 {account} 归我所有，以我的密钥签名为证。',
    time: '时间',
  },
};
