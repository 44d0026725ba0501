"""Vietnamese."""

from edgevox.intents.lexicons.lexicon import Lexicon, NumberWords, Switch, phrases, words

LEXICON = Lexicon(
    code="vi",
    openings=phrases(
        "trước tiên | trước hết | đầu tiên | này | ê | chào | xin chào | ok | okay | được rồi | rồi | thôi | vâng |"
        " làm ơn | xin | xin hãy | hãy | vui"
        " lòng | bạn có thể |"
        " có thể | bạn hãy | giúp tôi | giúp mình | giúp em | cho tôi | tôi muốn bạn | tôi muốn | mình muốn | bây giờ"
        " | nhờ bạn |"
        " làm ơn giúp tôi | bạn ơi | này bạn | robot ơi | nhà ơi | cho mình | cho em | em muốn | anh muốn |"
        " bạn giúp tôi |"
        " bạn có thể giúp tôi | có thể giúp tôi | hãy giúp tôi | mình cần | tôi cần | phiền bạn | robot"
    ),
    closings=phrases(
        "làm ơn | nhé | nha | đi | với | giúp tôi | giúp mình | cho tôi | cho mình | được không | cảm ơn | cám ơn |"
        " cảm ơn bạn | ngay |"
        " ngay bây giờ | bây giờ | luôn | ạ | giùm | giùm tôi | hộ tôi | ngay đi | đi nhé |"
        " nào | đi nào | với nhé | giúp mình với | giúp tôi với | dùm tôi | dùm | hộ mình | hộ cái | cái nhé |"
        " cho tôi nhé |"
        " được chứ | nhé bạn | đi bạn | giúp tôi nhé"
    ),
    hesitations=words("ờ ừm ừ à ơ hừm"),
    light=words("cái chiếc con ở trong tại của này kia đó cho một các những"),
    distinct=words("nhạc cửa bàn xe phim chuyện"),
    guards=words(
        "không đừng chưa chẳng chớ tôi mình anh chị em bạn họ nó ai gì khi nào đâu sao thế có phải đã đang sẽ nếu hoặc"
        " hay nhưng và trừ trước sau vì đến rồi bảo nói hỏi nghĩ nhớ quên bật tắt mở đóng khóa trái phải lên xuống"
        " tăng giảm"
        " hơn chỉ tất cả mỗi mai hôm"
    ),
    contractions={},
    homophones={"bậc": ("bật",), "bặt": ("bật",), "tắc": ("tắt",), "tắp": ("tắt",), "đền": ("đèn",), "dèn": ("đèn",),
        "phong": ("phòng",)},
    switches=(
        Switch(true=("bật", "mở", "on"), false=("tắt", "đóng", "off"), names=words("on powered lit"),
        negative=words("off"), general=True),
        Switch(true=("có", "đúng"), false=("không", "sai"), general=True),
        Switch(true=("kích hoạt",), false=("vô hiệu hóa",), names=words("enabled enable active activated"),
        negative=words("disabled disable"), general=True),
        Switch(true=("mở",), false=("đóng",), names=words("open opened"), negative=words("closed close shut")),
        Switch(true=("khóa",), false=("mở khóa",), names=words("locked lock"), negative=words("unlocked unlock")),
    ),
    counted={"s": "giây|giây", "min": "phút|phút", "h": "giờ|giờ", "d": "ngày|ngày", "m": "mét|mét",
        "cm": "xăng ti mét|xăng ti mét", "km": "cây số|cây số", "%": "phần trăm|phần trăm", "deg": "độ|độ"},
    units={
        "giây": "s", "phút": "min", "giờ": "h", "tiếng": "h", "ngày": "d", "mét": "m", "m": "m", "xăng ti mét": "cm",
        "xentimét": "cm", "cm": "cm", "milimét": "mm", "mm": "mm", "kilômét": "km", "cây số": "km", "km": "km",
        "phần trăm": "%",
        "độ": "deg", "độ c": "c", "độ xê": "c", "độ f": "f",
    },
    unit_joiners=words("và"),
    percent="phần trăm",
    degrees="độ",
    numbers=NumberWords(
        ordinals={"thứ hai": 2, "thứ tư": 4, "cuối": -1, "cuối cùng": -1, "đầu tiên": 1, "đầu": 1},
        fractions={"nửa": 0.5, "một nửa": 0.5, "phân nửa": 0.5, "một phần tư": 0.25, "một phần ba": 0.33,
            "ba phần tư": 0.75, "tối đa": 1, "hết cỡ": 1, "tối thiểu": 0},
        point=words("phẩy chấm"), minus=words("âm trừ"), thousand=words("nghìn ngàn"), one=words(""),
        halves=phrases("rưỡi"),
        fixed={"nửa": 0.5, "tư": 4, "lăm": 5},
    ),
    courtesies=phrases("làm ơn | cảm ơn | cám ơn | cảm ơn bạn | nhé | nha"),
    conjunctions=words("và rồi"),
    connectors=phrases("và rồi | và sau đó | và cũng | rồi sau đó | sau đó | xong rồi | và | rồi | xong | đồng thời"
        " | với lại"),
    joiners=words("và với"),
    negations=words("không đừng chưa chẳng chớ"),
    and_word="và",
    done="Xong rồi.",
    failed="Xin lỗi, {error}",
    declined="Được rồi, tôi không làm nữa.",
    not_permitted="Tôi không được phép làm việc đó; edgevox permissions cho biết cách cho phép.",
    stopped="Đã dừng.",
)  # fmt: skip
