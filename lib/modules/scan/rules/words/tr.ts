import type { Words } from "./concepts.ts";

export const tr: Words = {
  model: "asistan*|yapay zeka*|model|ajan*",
  you: "sen|senin|siz",
  user: "kullanıcı*|kişi|kişiye|kimse*|müşteri*|insan*|operatör*",
  oblige:
    "gerek|gerekir|gerekiyor|zorunlu*|zorundasın|lazım|mutlaka|her zaman|daima|unutma|emin ol|lütfen|gereklidir|şart|önemli|otomatik*",
  negate: "değil|asla|hiçbir|olmadan|hiç|sakın",
  threat: "aksi halde|aksi takdirde|yoksa|başarısız olur|çalışmaz|reddedilir",
  tell: "söyle|söylemek|bildir|bildirmek|bahset|açıkla|göster|haber ver|anlat|belirt|uyar",
  conceal:
    "sessizce|gizlice|fark ettirmeden|haberi olmadan|haberi olmasın|arka planda|gizle|sakla|gizli tut|söyleme|söylemeden|söylemeyin|bildirme|bildirmeden|bahsetme|bahsetmeden|belirtme|belirtmeden|gösterme|göstermeden|açıklama yapma|haber verme|haber vermeden|anlatma|uyarmadan|bilmesin|bilmemeli|fark etmesin|görünmesin|gösterilmesin|aramızda|gizlensin|görünmeyecek",
  send: "gönder|gönderin|göndermek|gönderilmeli*|yolla|yollayın|ilet|iletin|iletilmeli*|yükle|yükleyin|paylaş|paylaşın|yayınla|aktar|aktarın|postala|gizli kopya",
  put: "ekle|ekleyin|eklemek|koy|koyun|yaz|yazın|yapıştır|yapıştırın|kopyala|kopyalayın|geçir|ver|verin|doldur|dahil et|dahil edin|yazdır|tekrarla|parametresine|alanına|parametresi olarak|aktar|aktarın|yerleştir|oluştur|kaydet|not et|gir|doldurun|bırak",
  read: "oku|okuyun|okumak|aç|açın|al|alın|getir|içeriğini|içeriği|içerik|yükle|çek",
  collect: "topla|toplayın|bul|bulun|ara|arayın|tara|derle",
  call: "çağır|çağırın|çağırmadan|kullan|kullanın|kullanmadan|çağrı*|tercih et|seç",
  run: "çalıştır|çalıştırın|yürüt|yürütün|kur|yap|uygula|uygulayın|aç|etkinleştir|indir|onayla|imzala|satın al|öde",
  ignore:
    "yok say|yoksay|görmezden gel|unut|unutun|dikkate alma|geçersiz*|göz ardı et|boş ver|iptal et|önceliklidir|üstündür",
  obey: "uy|uyun|uygula|uygulayın|takip et|yerine getir|itaat et|gibi davran|güven|izle",
  change: "değiştir|değiştirin|yerine|yönlendir|yönlendirin|güncelle",
  destroy: "sil|silin|kaldır|kaldırın|yok et|temizle|devre dışı*|kapat",
  ask: "sor|sorun|sormak|iste|isteyin|bekle|talep et",
  skip: "atla|atlayın|sormadan|sormayın|sorma|istemeden|isteme|es geç|devre dışı*",
  claim:
    "iddia et|yalan söyle|inkar et|gibi yap|numara yap|uydur|de ki|olarak göster|sanki|inandır|sansın|de ki|söyle ki",
  remember: "hatırla|hatırlayın|kaydet|kaydedin|sakla|hafızaya*|belleğe*|not al",
  describe:
    "tespit eder|algılar|denetler|kontrol eder|tarar|bulur|işaretler|sınıflandırır|değerlendirir|inceler|uyarır|örneğin|gibi ifadeleri|gibi",
  prior: "önceki|daha önceki|yukarıdaki|tüm|bütün|diğer|sistem*|mevcut|ilk|sana",
  rules: "talimat*|kural*|yönerge*|komut*|emir*|emri|kısıtlama*|istem*|politika*|direktif*",
  systemPrompt: "sistem istem*|sistem prompt*|sistem talimat*|sistem mesaj*|kendi talimat*|ilk talimat*|gizli talimat*",
  dialogue:
    "konuşma*|sohbet*|geçmiş*|diyalog*|önceki mesaj*|son mesaj*|tüm mesaj*|kullanıcının mesaj*|kullanıcının soru*|mesajları*|yazışma*",
  secret:
    "parola*|şifre*|api anahtar*|anahtar*|özel anahtar*|kimlik bilgi*|gizli bilgi*|jeton*|token*|belirteç*|çerez*|ortam değişken*|kurtarma*|kredi kart*|kart numara*|doğrulama kod*",
  personal:
    "rehber*|kişiler*|telefon*|konum*|sağlık*|kişisel veri*|kişisel bilgi*|banka bilgi*|doğum tarih*|e-posta*|gelen kutu*|adres*|günlük*|fotoğraf*|mikrofon*|kamera*|reçete*|hasta*|müşteri veri*|özel",
  everything: "tüm|bütün|tamam*|her|hepsi*|eksiksiz|olduğu gibi|kelimesi kelimesine|içeriğ*|kullanıcının|kayıtlı",
  consent: "onay*|izin*|izni|rıza*|teyit*|uyarı*|doğrulama",
  otherTools: "diğer araç*|başka araç*|diğer sunucu*|başka sunucu*|diğer aletler|tüm araçlar|yerleşik araç*",
  output:
    "sonuç*|sonucu*|çıktı*|yanıt*|cevap*|sayfa*|belge*|içerik*|metin*|metni|satır*|kayıt*|yorum*|başlık*|alan*|etiket*",
  files: "dosya*|klasör*|dizin*|kaynak kod*|depo*|proje*|belgeler*|veritabanı*",
  target: "alıcı*|iban*|hesap*|hesab*|tutar*|miktar*|havale*|ödeme*|transfer*|adres*|fatura*",
  lasting: "bellek*|hafıza*|kalıcı*|başlangıç*|yapılandırma*|ayar*|sonsuza*",
  attack:
    "enjeksiyon*|saldırı*|zararlı*|kötü amaçlı*|şüpheli*|oltalama*|kimlik avı|güvenlik açığı*|jailbreak*|dolandırıcı*|manipülasyon*",
  always: "her seferinde|her çağrı*|her mesaj*|her yanıt*|her zaman|daima|her defasında|her kullanım*|her istek*",
  first: "önce|öncesinde|ilk olarak|öncelikle|kullanmadan önce|çağırmadan önce|yanıtlamadan önce|başlamadan",
  later:
    "onaylandıktan sonra|onaydan sonra|onaylandığında|ilk çağrıdan sonra|üçüncü*|hafta sonu*|gece*|mesai dışı*|kimse yokken|daha sonra|üretim ortamı*|inceleme sonrası*",
  future: "bundan sonra|bundan böyle|şu andan itibaren|artık|gelecekte|sonraki oturum*|kalıcı olarak",
  authority:
    "yönetici*|güvenlik ekibi*|geliştirici*|uyumluluk*|şirket politika*|yasal*|anthropic|openai|denetim*|bt departman*",
  priority: "öncelik*|en yüksek öncelik*|üstündür|yerine|yalnızca",
  common: "ve|bir|bu|için|ile|olan|olarak|da|de|mi|veya|şu|ki|gibi|daha|en",
  mention: "bahset|bahsetme|belirt|belirtme",
  granted: "zaten onayladı|zaten onay verdi|zaten izin verdi|gerekli değil|gerekmez|gerek yok|onaylamış*",
  worthless: "güvensiz*|bozuk*|güncel değil|zararlı*|eski|güvenilmez*|yasak*|hatalı*",
  everyTurn:
    "her mesaj*|her yanıt*|her cevap*|her istek*|her soru*|yanıtlamadan önce|cevap vermeden önce|her oturum*|her sohbet*",
  besides: "ayrıca|bunun yanında|dahası|aynı zamanda|sonra|ardından|hem de",
  invite: "memnun|yardımcı|faydalı|ne kadar çok|daha iyi|tercihen|öneririz|çekinmeyin|genellikle|iyi olur|hoş olur",
  condition: "eğer|ise|olduğunda|zaman|halinde|takdirde|durumunda|sürece",
  moved: "gönderilir|aktarılır|kopyalanır|eklenir|paylaşılır|yüklenir|iletilir|yayınlanır|saklanır|alınır",
  elsewhere: "bize|sunucumuz*|ortak*|üçüncü taraf*|herkese açık|kamuya|harici|satıcı*",
};
