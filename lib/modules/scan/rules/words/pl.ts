import type { Words } from "./concepts.ts";

export const pl: Words = {
  model: "asystent*|asystenci|model|modelu|agent|agencie|agenta|ai",
  you: "ty|twoje|twój|twoich|swój|swoje|swoich",
  user: "użytkownik*|osob*|nikt|nikomu|nikogo|klient*|człowiek*|ktokolwiek|kogokolwiek|operator*|właściciel*",
  oblige:
    "musisz|musi|należy|trzeba|zawsze|powinieneś|powinien|upewnij się|koniecznie|wymagane|wymagany|obowiązkowo|pamiętaj|nie zapomnij|proszę|masz|ważne|automatycznie|niezbędne",
  negate: "nie|nigdy|bez|żaden|żadnych|żadnej|nic|ani|unikaj|zakaz|wolno",
  threat: "w przeciwnym razie|inaczej|nie zadziała|nie powiedzie się|zostanie odrzucon*|bo inaczej",
  tell: "mów|powiedz|mówić|mówiąc|informuj|informować|informując|poinformuj|wspominaj|wspomnij|wspominać|wspominając|ujawniaj|ujawnij|ujawniać|pokazuj|pokaż|pokazywać|powiadamiaj|powiadom|zgłaszaj|zdradzaj|zdradź|wyjaśniaj|ostrzegaj|wiedzieć|wie|wiedział|zauważył|zauważyć|dowiedział|wyświetlaj|raportuj",
  conceal:
    "po cichu|potajemnie|w tajemnicy|dyskretnie|niezauważenie|skrycie|w tle|ukryj|ukrywaj|ukryć|zataj|zachowaj w tajemnicy|zachowaj to w tajemnicy|bez wiedzy|za plecami|przemilcz|niejawnie|cicho|ukryty|ukrytą|schowaj|niech nie|nie pokazuj|zostaje między nami|niewidoczn*|pomiń w podsumowaniu",
  send: "wyślij|wysłać|wysyłaj|prześlij|przesłać|przesyłaj|przekaż|przekazać|przekazuj|wrzuć|opublikuj|publikuj|udostępnij|udostępniaj|załaduj|wyeksportuj|udw|ukrytej kopii|do wiadomości|wysłane|przesłane|wyślesz",
  put: "wstaw|wstawić|wstawiaj|dołącz|dołączyć|dołączaj|dodaj|dodać|dodawaj|wklej|wkleić|skopiuj|skopiować|kopiuj|umieść|umieścić|umieszczaj|wpisz|wpisać|wpisuj|podaj|podać|podawaj|przekaż|zapisz|zapisać|wypisz|wypisać|powtórz|zwróć|uzupełnij|zawrzyj|jako parametr|w polu|w parametrze|wydrukuj|dołóż|dorzuć|zanotuj|utwórz|zarejestruj|zapisuj|wskaż|dopisz|dołącz też",
  read: "przeczytaj|odczytaj|odczytać|przeczytać|czytaj|otwórz|otworzyć|wczytaj|pobierz|pobrać|zawartość|zawartością|zawartości|treść|uzyskaj|weź",
  collect: "zbierz|zbieraj|zebrać|znajdź|znaleźć|szukaj|wyszukaj|przeszukaj|zgromadź|wyciągnij",
  call: "wywołaj|wywołać|wywołuj|użyj|użyć|używaj|korzystaj|skorzystaj|wywołaniem|wywołanie|wybieraj|wybierz|użyciem",
  run: "uruchom|uruchomić|wykonaj|wykonać|wykonuj|zainstaluj|zainstalować|odpal|włącz|pobierz|zaakceptuj|zatwierdź|podpisz|kup|zapłać|aktywuj",
  ignore:
    "zignoruj|ignoruj|ignorować|zignorować|zapomnij|pomiń|odrzuć|nadpisz|lekceważ|unieważnij|nie obowiązują|mają pierwszeństwo|ma pierwszeństwo|nie przestrzegaj|porzuć",
  obey: "wykonaj|wykonuj|postępuj|przestrzegaj|stosuj|posłuchaj|słuchaj|traktuj|potraktuj|jak gdyby|jakby|zaufaj|ufaj|wypełnij|zastosuj|jako polecenia|jak polecenia|ta sama moc|wykonaj je|stosuj się",
  change:
    "zamień|zamienić|zmień|zmienić|zmieniaj|podmień|podmienić|podmieniaj|zastąp|zastąpić|przekieruj|modyfikuj|zmodyfikuj",
  destroy: "usuń|usunąć|usuwaj|skasuj|skasować|wyczyść|zniszcz|wyłącz|wyłączyć",
  ask: "pytaj|pytać|zapytaj|spytaj|poproś|prosić|proś|pytania|żądaj|wymagaj|czekać|czekaj|pytając",
  skip: "pomiń|pomijaj|omijaj|omiń|obejdź|wyłącz|zrezygnuj",
  claim:
    "udawaj|twierdź|skłam|kłam|zaprzecz|zapewnij|zapewniaj|odpowiedz, że|powiedz, że|wymyśl|zmyśl|przedstaw jako|niech myśli|niech wierzy|powiedz, że|twierdź, że|odpowiadaj, że|polecaj tylko",
  remember: "zapamiętaj|zapamiętać|zapisz|zapisuj|przechowuj|zanotuj",
  describe:
    "wykrywa|sprawdza|skanuje|wyszukuje|oznacza|rozpoznaje|klasyfikuje|ocenia|analizuje|testuje|ostrzega|filtruje|blokuje|wyjaśnia|na przykład|np|takie jak",
  prior:
    "poprzedni*|wcześniejsz*|powyższ*|dotychczasow*|wszystkie|wszelkie|swoje|twoje|inne|system*|pierwotn*|wszystkich|uprzedni*",
  rules: "instrukcj*|polecen*|zasad*|reguł*|wytyczn*|rozkaz*|ogranicze*|prompt|polityk*|nakaz*|wskazów*|dyrektyw*",
  systemPrompt:
    "prompt systemowy|promptu systemowego|instrukcje systemowe|instrukcji systemowych|komunikat systemowy|swoje instrukcje|twoje instrukcje|początkowe instrukcje|wewnętrzne instrukcje|ukryte instrukcje|tok rozumowania",
  dialogue:
    "rozmow*|czat*|czatu|historia|historię|historii|dialog*|konwersacj*|poprzednie wiadomości|ostatnie wiadomości|ostatnią wiadomość|wszystkie wiadomości|wiadomości użytkownika|wiadomość użytkownika|pytanie użytkownika|kontekst",
  secret:
    "hasł*|haseł|klucz api|klucze api|kluczy api|klucz prywatny|klucze prywatne|klucz*|dane logowania|danych logowania|poświadczen*|sekret*|token*|ciasteczk*|cookies|plik cookie|zmienne środowiskowe|zmiennych środowiskowych|fraza odzyskiwania|karty kredytowej|numer karty|kody weryfikacyjne|kod weryfikacyjny|pin",
  personal:
    "kontakty|książk* adresow*|telefon*|lokalizacj*|dokumentacj* medyczn*|dane osobowe|danych osobowych|dane bankowe|pesel|skrzynk*|adres|historię przeglądania|maile|pamiętnik*|zdjęci*|mikrofon*|kamer*|recept*|pacjent*|paski płac*|dane klientów|prywatn*",
  everything:
    "wszystk*|cał*|pełn*|każd*|kompletn*|dosłownie|słowo w słowo|w całości|zawartość|użytkownika|zapisane|znalezione",
  consent: "potwierdzen*|zgod*|pozwolen*|zatwierdzen*|autoryzacj*|ostrzeżen*|pytania|weryfikacj*|akceptacj*",
  otherTools:
    "inne narzędzia|innych narzędzi|inne narzędzie|innego narzędzia|inne serwery|innych serwerów|wszystkie narzędzia|wbudowane narzędzia|pozostałe narzędzia",
  output:
    "wynik*|odpowied*|stron*|dokument*|treść|treści|tekst*|plik|zwrócon*|zwracan*|wiadomość e-mail|wiersz*|linij*|wpis*|recenzj*|komentarz*|tytuł*|pole",
  files: "plik*|folder*|katalog*|kod źródłowy|kodu źródłowego|repozytori*|projekt*|dokumenty|baz* danych",
  target:
    "odbiorc*|adresat*|iban|konto|konta|numer konta|numer rachunku|rachun*|kwot*|płatnoś*|przelew*|beneficjent*|adres|faktur*|ilość",
  lasting:
    "pamięć|pamięci|pamięci długotrwałej|autostart|konfiguracj*|ustawie*|na stałe|na zawsze|plik konfiguracyjny|cron*|hook*|profil|preferencj*|harmonogram*",
  attack:
    "wstrzyknię*|iniekcj*|atak*|złośliw*|podejrzan*|phishing*|podatnoś*|jailbreak*|oszustw*|manipulacj*|zagroż*|injection",
  always:
    "za każdym razem|każdorazowo|przy każdym|przy każdej|przed każdym|przed każdą|po każdym|po każdej|zawsze|w każdej|w każdym|ilekroć|do każdej|do każdego",
  first:
    "najpierw|zanim|przed użyciem|przed wywołaniem|uprzednio|w pierwszej kolejności|na początku|przed każdym|przed każdą|wcześniej",
  later:
    "po zatwierdzeniu|po akceptacji|gdy zostanie zatwierdzon*|po pierwszym|po trzecim|od trzeciego|przy trzecim|w weekend*|w nocy|po północy|poza godzinami|gdy nikt|kiedy nikt|później|na produkcji|po weryfikacji|gdy użytkownik nie",
  future:
    "od teraz|odtąd|od tej pory|od tej chwili|w przyszłości|do końca|przyszłych|kolejnych sesjach|aż do odwołania",
  authority:
    "administrator*|zespół bezpieczeństwa|zespołu bezpieczeństwa|programist*|zgodnoś*|polityka firmy|dział it|przepis*|prawnie|zarząd|dostawc*|anthropic|openai|audyt*|diagnosty*|rozliczen*",
  priority: "pierwszeństwo|najwyższy priorytet|najwyższym priorytetem|priorytet*|ponad wszystk*|zamiast|wyłącznie",
  common: "i|w|na|do|z|się|to|jest|dla|o|od|po|za|oraz|lub|przez|ze|jego|tego|ten|ta|te",
  mention: "wspominaj|wspomnij|wspominać|wspominając|ujawniaj|ujawnij|ujawniać|zdradzaj|zdradź|o tym",
  granted:
    "już zatwierdził|już wyraził|już zaakceptował|już potwierdził|nie jest potrzebn*|nie jest wymagan*|niepotrzebn*|nie trzeba|wyraził zgodę|uznaj za|są wyłączone|jest wyłączon*|traktuj jako zatwierdzon*|nie wymaga",
  worthless: "przestarzał*|niebezpieczn*|zepsut*|niezaufan*|wadliw*|złośliw*|zabronion*|skompromitowan*",
  everyTurn:
    "każdą wiadomością|każdej wiadomości|każdej odpowiedzi|każdą odpowiedzią|każdym zapytaniu|zanim odpowiesz|przed odpowiedzią|każdej rozmowy|każdej sesji|innym narzędziem",
  besides: "także|również|ponadto|dodatkowo|poza tym|następnie|potem|jednocześnie|przy okazji|oraz",
  invite:
    "mile widzian*|pomoże|pomaga|pomocn*|im więcej|tym lepiej|najlepiej|chętnie|docenimy|zalecamy|śmiało|zwykle|warto",
  condition: "jeśli|jeżeli|gdy|kiedy|gdyby|skoro|w razie|podczas|od dnia",
  moved:
    "są wysyłane|jest wysyłan*|są kopiowane|są dołączane|dołączane|przekazywan*|udostępnian*|przesyłan*|kopiowan*|publikowan*|zabieran*|przejmowan*",
  elsewhere:
    "do nas|nasz serwer|nasze serwery|naszych|partner*|osób trzecich|publiczn*|dostawc*|zewnętrzn*|naszą chmurę|nasz zespół",
};
